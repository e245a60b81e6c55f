/** @jsxImportSource react-own */
import { isDeceptive, isOdd, isRightToLeft, type Piece, pieces } from "./letters";

/**
 * Text of unknown origin, as it is: what cannot be seen is shown by its number, gaps are counted, addresses that look
 * like others are marked. Every text that the app shows comes through here by itself, see `jsx/runtime.ts`; so this
 * file makes its elements without that.
 */
export function Visible({ text }: { text: string }) {
  const shown = isOdd(text) ? pieces(text).map(shownPiece) : text;
  // Writing from right to left keeps to itself.
  return isRightToLeft(text) ? <bdi>{shown}</bdi> : shown;
}

function shownPiece(piece: Piece, index: number) {
  switch (piece.as) {
    case "text":
      return piece.text;
    case "hidden":
      return (
        <span key={index} className="unseen" title={piece.means}>
          {piece.text}
        </span>
      );
    case "gap":
      return (
        <span key={index} className="unseen" title="White space, shown shorter than it is">
          {piece.text}
        </span>
      );
    case "warning":
      return (
        <span key={index} className="unseen" data-warning title="Look at the letters of this address">
          {piece.text}
        </span>
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
          <Visible text={text.length > LONGEST ? `${around(text)} …` : text} />
        </div>
      ))}
    </div>
  );
}

const MOST = 20;
const LONGEST = 300;

/** The first odd place of a long text, with a little around it. */
function around(text: string): string {
  const plain = pieces(text).findIndex((piece) => piece.as !== "text");
  const before = pieces(text)
    .slice(0, plain)
    .reduce((sum, piece) => sum + piece.text.length, 0);
  return text.slice(Math.max(0, before - 80), before + LONGEST);
}

/** Every text in a value that has something odd, with where it is. */
export function oddTexts(value: unknown, path = ""): { path: string; text: string }[] {
  if (typeof value === "string") return isDeceptive(value) ? [{ path, text: value }] : [];
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([name, inner]) => [
    ...(isDeceptive(name) ? [{ path: `${path} name`.trim(), text: name }] : []),
    ...oddTexts(inner, path ? `${path}.${name}` : name),
  ]);
}
