/** @jsxImportSource react-own */
import { isOdd, type Piece, pieces } from "./deceptiveText";
import classes from "./deceptiveTextWarning.module.css";
import { shownPiece } from "./VisibleText";

/** What a field that is being edited cannot show: it holds the text itself. */
export function DeceptiveTextWarning({ of: value, name }: { of: unknown; name?: string }) {
  const odd = oddTexts(value, name ?? "").slice(0, MOST);
  if (odd.length === 0) return null;
  return (
    <div className={classes.note} role="status">
      <strong>Not everything here is what it looks like.</strong>
      {odd.map(({ path, text }) => (
        <div key={path}>
          {path && <code>{path} </code>}
          <bdi>{aroundTheFirst(text).map(shownPiece)}</bdi>
        </div>
      ))}
    </div>
  );
}

const MOST = 20;
const MOST_PIECES = 12;
const LONGEST = 100;

/** The first odd places of a text, with a little around them. */
function aroundTheFirst(text: string): Piece[] {
  const found = pieces(text);
  const first = Math.max(0, found.findIndex(({ as }) => as !== "text") - 1);
  return found
    .slice(first, first + MOST_PIECES)
    .map((piece, index) => (piece.as === "text" ? { ...piece, text: cut(piece.text, index === 0) } : piece));
}

const cut = (text: string, isBefore: boolean): string =>
  text.length <= LONGEST ? text : isBefore ? `… ${text.slice(-LONGEST)}` : `${text.slice(0, LONGEST)} …`;

const LARGE = 12;

/** Whether somebody who edits it would be deceived: white space of their own making is no surprise to them. */
const isDeceptive = (text: string): boolean =>
  isOdd(text) && pieces(text).some((piece) => piece.as !== "text" && !(piece.as === "gap" && piece.size < LARGE));

/** Every text in a value that has something odd, with where it is. */
export function oddTexts(value: unknown, path = ""): { path: string; text: string }[] {
  if (typeof value === "string") return isDeceptive(value) ? [{ path, text: value }] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(isDeceptive(name) ? [{ path: `${path} name`.trim(), text: name }] : []),
    ...oddTexts(inner, path ? `${path}.${name}` : name),
  ]);
}
