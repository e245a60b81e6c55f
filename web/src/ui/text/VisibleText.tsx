/** @jsxImportSource react-own */
import { isOdd, type Piece, pieces } from "./deceptiveText";

/**
 * Text of unknown origin, as it is: what cannot be seen is shown by its number, gaps are counted, addresses that look
 * like others are marked. Every text that the app shows comes through here by itself, see `jsx/runtime.ts`; so this
 * file makes its elements without that.
 */
export function VisibleText({ text }: { text: string }) {
  // One element, which also keeps writing from right to left to itself.
  return <bdi>{isOdd(text) ? pieces(text).map(shownPiece) : text}</bdi>;
}

export function shownPiece(piece: Piece, index: number) {
  if (piece.as === "text") return piece.text;
  return (
    <mark
      key={index}
      className="unseen"
      title={piece.as === "hidden" ? piece.means : undefined}
      data-warning={piece.as === "warning" || undefined}
    >
      {piece.text}
    </mark>
  );
}
