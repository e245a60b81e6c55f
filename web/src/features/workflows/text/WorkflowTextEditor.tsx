import { isolateHistory, redo, redoDepth, undo, undoDepth } from "@codemirror/commands";
import { EditorView } from "@codemirror/view";
import { type Ref, useEffect, useImperativeHandle } from "react";
import type { WorkflowProblem } from "@/api/workflows/workflows";
import classes from "@/ui/editor/editor.module.css";
import { difference, marked, placeOf } from "@/ui/editor/textPlaces";
import { showProblems, useCodeEditor } from "@/ui/editor/useCodeEditor";

export interface TextHandle {
  undo: () => void;
  redo: () => void;
}

/** Whether there is something to go back to, or forward again. */
export interface HistoryState {
  undo: boolean;
  redo: boolean;
}

interface WorkflowTextEditorProps {
  ref: Ref<TextHandle>;
  text: string;
  readOnly: boolean;
  problems: WorkflowProblem[];
  /** A line to go to; a new object goes there again. */
  target: { line: number } | null;
  onChange: (text: string) => void;
  /** Not made anew each time it is drawn. */
  onHistory: (state: HistoryState) => void;
}

/** The workflow as text. Its history is the one that undo goes through, whoever changed the text. */
export default function WorkflowTextEditor(props: WorkflowTextEditorProps) {
  const { ref, text, readOnly, problems, target, onChange, onHistory } = props;
  const { place, view } = useCodeEditor({
    language: "yaml",
    label: "Workflow in YAML",
    text,
    readOnly,
    complete: () => null,
    onChange,
  });
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const before = editor.state.doc.toString();
    if (before !== text) editor.dispatch({ changes: difference(before, text), annotations: isolateHistory.of("full") });
    onHistory({ undo: undoDepth(editor.state) > 0, redo: redoDepth(editor.state) > 0 });
  }, [text, view, onHistory]);
  useImperativeHandle(
    ref,
    () => ({
      undo: () => void (view.current && undo(view.current)),
      redo: () => void (view.current && redo(view.current)),
    }),
    [view],
  );
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const mark = marked(editor);
    const placed = problems.map(({ line, message }) => ({ line: line ?? 1, column: 1, message }));
    showProblems(
      editor,
      placed.map((each) => mark(each, "error")),
    );
  }, [problems, view]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    const anchor = placeOf(editor, { line: target.line, column: 1 });
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }, [target, view]);
  return <div ref={place} className={`${classes.editor} ${classes.tall}`} />;
}
