import { type CompletionContext, completionStatus } from "@codemirror/autocomplete";
import { isolateHistory, undo } from "@codemirror/commands";
import { Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { type Ref, useEffect, useImperativeHandle } from "react";
import classes from "@/ui/editor/editor.module.css";
import { difference, marked, placeOf } from "@/ui/editor/textPlaces";
import { showProblems, useCodeEditor } from "@/ui/editor/useCodeEditor";
import { indentAfter, type Offers } from "./ruleCompletion";
import type { RuleProblem } from "./useRuleProblems";

export interface RulesEditorHandle {
  undo: () => void;
}

interface RulesEditorProps {
  ref: Ref<RulesEditorHandle>;
  text: string;
  readOnly: boolean;
  problems: RuleProblem[];
  warnings: RuleProblem[];
  /** A place to go to; a new object goes there again. */
  target: { line: number; column: number } | null;
  complete: (text: string, at: number) => Offers | null;
  onChange: (text: string) => void;
}

/** The rules as text, with their mistakes marked and their words offered. */
export default function RulesEditor({
  ref,
  text,
  readOnly,
  problems,
  warnings,
  target,
  complete,
  onChange,
}: RulesEditorProps) {
  const { place, view } = useCodeEditor(
    {
      language: "yaml",
      label: "Rules in YAML",
      text,
      readOnly,
      complete: (context) => offered(context, complete),
      onChange,
    },
    Prec.high(keymap.of([{ key: "Enter", run: newLine }])),
  );
  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === text) return;
    // A step of its own in the one history: Ctrl+Z takes back what a menu did.
    editor.dispatch({ changes: difference(editor.state.doc.toString(), text), annotations: isolateHistory.of("full") });
  }, [text, view]);
  useImperativeHandle(ref, () => ({ undo: () => view.current && undo(view.current) }), [view]);
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const mark = marked(editor);
    showProblems(editor, [
      ...problems.map((each) => mark(each, "error")),
      ...warnings.map((each) => mark(each, "warning")),
    ]);
  }, [problems, warnings, view]);
  useEffect(() => {
    const editor = view.current;
    if (!editor || !target) return;
    const anchor = placeOf(editor, target);
    editor.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
    editor.focus();
  }, [target, view]);
  return (
    <div ref={place} className={`${classes.editor} ${classes.tall}`} data-empty={text.trim() === "" || undefined} />
  );
}

/** Enter, when no completion is open. */
function newLine(editor: EditorView): boolean {
  const { state } = editor;
  if (completionStatus(state) === "active" || state.readOnly) return false;
  const { from, to } = state.selection.main;
  const line = state.doc.lineAt(from);
  const insert = `\n${" ".repeat(indentAfter(line.text.slice(0, from - line.from)))}`;
  editor.dispatch({
    changes: { from, to, insert },
    selection: { anchor: from + insert.length },
    scrollIntoView: true,
    userEvent: "input",
  });
  return true;
}

function offered(context: CompletionContext, complete: RulesEditorProps["complete"]) {
  const found = complete(context.state.doc.toString(), context.pos);
  if (!found || (found.from === context.pos && !context.explicit)) return null;
  const options = found.offers.map(({ label, kind, detail }) => ({
    label,
    apply: kind === "key" ? `${label}: ` : label,
    info: detail,
    type: kind,
  }));
  return { from: found.from, options, validFor: /^[\w-]*$/ };
}
