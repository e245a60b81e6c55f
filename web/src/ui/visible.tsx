/** @jsxImportSource react-own */
import { isDeceptive, isOdd, type Piece, pieces } from "./letters";

/**
 * Text of unknown origin, as it is: what cannot be seen is shown by its number, gaps are counted, addresses that look
 * like others are marked. Every text that the app shows comes through here by itself, see `jsx/runtime.ts`; so this
 * file makes its elements without that.
 */
export function Visible({ text }: { text: string }) {
  // One element, which also keeps writing from right to left to itself.
  return <bdi>{isOdd(text) ? pieces(text).map(shownPiece) : text}</bdi>;
}

function shownPiece(piece: Piece, index: number) {
  switch (piece.as) {
    case "text":
      return piece.text;
    case "hidden":
      return (
        <mark key={index} className="unseen" title={piece.means}>
          {piece.text}
        </mark>
      );
    case "gap":
      return (
        <mark key={index} className="unseen" title="White space, shown shorter than it is">
          {piece.text}
        </mark>
      );
    case "warning":
      return (
        <mark key={index} className="unseen" data-warning title="Look at the letters of this address">
          {piece.text}
        </mark>
      );
  }
}

/** What a field that is being edited cannot show: it holds the text itself. */
export function Unseen({ of: value, name }: { of: unknown; name?: string }) {
  const odd = oddTexts(value, name ?? "").slice(0, MOST);
  if (odd.length === 0) return null;
  return (
    <div className="unseen-note" role="status">
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

/** Every text in a value that has something odd, with where it is. */
export function oddTexts(value: unknown, path = ""): { path: string; text: string }[] {
  if (typeof value === "string") return isDeceptive(value) ? [{ path, text: value }] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(isDeceptive(name) ? [{ path: `${path} name`.trim(), text: name }] : []),
    ...oddTexts(inner, path ? `${path}.${name}` : name),
  ]);
}
