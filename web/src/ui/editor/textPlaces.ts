import type { Diagnostic } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";

interface PlacedProblem {
  line: number;
  column: number;
  message: string;
}

/** What differs between two texts, so that the cursor and all else stay where they are. */
export function difference(before: string, after: string): { from: number; to: number; insert: string } {
  const most = Math.min(before.length, after.length);
  let from = 0;
  while (from < most && before[from] === after[from]) from++;
  let end = 0;
  while (end < most - from && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}

export function placeOf({ state: { doc } }: EditorView, { line, column }: { line: number; column: number }): number {
  const found = doc.line(Math.min(Math.max(line, 1), doc.lines));
  return Math.min(found.from + Math.max(column - 1, 0), found.to);
}

/** A problem as a mark on the word at its place. */
export const marked =
  (editor: EditorView) =>
  (problem: PlacedProblem, severity: Diagnostic["severity"]): Diagnostic => {
    const from = placeOf(editor, problem);
    const word = /^[^\s:,}\]]+/.exec(editor.state.doc.sliceString(from, editor.state.doc.lineAt(from).to))?.[0] ?? "";
    return { from, to: from + word.length, severity, message: problem.message };
  };
