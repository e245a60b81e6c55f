import type { CompletionContext } from "@codemirror/autocomplete";
import { EditorView } from "@codemirror/view";
import { useEffect } from "react";
import classes from "./editor.module.css";
import { type Language, showProblems, useCodeEditor } from "./useCodeEditor";

interface TextEditorProps {
  language: Language;
  text: string;
  label: string;
  /** Names that may be written, for completion. */
  names?: string[];
  /** What is wrong, and where. */
  problem?: { message: string; at?: number };
  readOnly?: boolean;
  /** Whether it was opened to write in it at once. */
  focused?: boolean;
  onChange: (text: string) => void;
}

/** JSON or YAML as text. What it starts with is only read once. */
export default function TextEditor({ names = [], problem, focused = true, ...props }: TextEditorProps) {
  const { place, view } = useCodeEditor(
    { ...props, complete: (context) => offered(context, names, props.language) },
    EditorView.lineWrapping,
  );
  useEffect(() => {
    if (focused) view.current?.focus();
  }, [focused, view]);
  const { message, at } = problem ?? {};
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const from = Math.min(at ?? 0, editor.state.doc.length);
    showProblems(editor, message ? [{ from, to: from, severity: "error", message }] : []);
  }, [message, at, view]);
  return <div ref={place} className={classes.editor} />;
}

function offered(context: CompletionContext, names: string[], language: Language) {
  const word = context.matchBefore(/["\w-]*/);
  if (!word || (word.from === word.to && !context.explicit)) return null;
  const options = names.map((name) => ({
    label: language === "json" ? `"${name}": ` : `${name}: `,
    type: "property",
  }));
  return { from: word.from, options };
}
