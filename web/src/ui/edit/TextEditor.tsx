import { autocompletion, type CompletionContext } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState } from "@codemirror/state";
import { EditorView } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "react";
import classes from "./editor.module.css";

const COLORS = HighlightStyle.define([
  { tag: tags.propertyName, color: "var(--info)" },
  { tag: tags.string, color: "var(--accent-ink)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--hot)" },
  { tag: tags.comment, color: "var(--ink-3)" },
  { tag: tags.content, color: "var(--ink)" },
]);

export type Language = "json" | "yaml";

interface TextEditorProps {
  language: Language;
  text: string;
  label: string;
  /** Names that may be written, for completion. */
  names?: string[];
  /** What is wrong, and where. */
  problem?: { message: string; at?: number };
  onChange: (text: string) => void;
}

/** A code editor. The text that it starts with is only read once. */
export default function TextEditor({ language, text, label, names = [], problem, onChange }: TextEditorProps) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ onChange, names, text });
  latest.current = { onChange, names, text };
  useEffect(() => {
    if (!place.current) return;
    const offer = (context: CompletionContext) => {
      const word = context.matchBefore(/["\w-]*/);
      if (!word || (word.from === word.to && !context.explicit)) return null;
      const quoted = language === "json";
      const options = latest.current.names.map((name) => ({
        label: quoted ? `"${name}": ` : `${name}: `,
        type: "property",
      }));
      return { from: word.from, options };
    };
    const editor = new EditorView({
      parent: place.current,
      state: EditorState.create({
        doc: latest.current.text,
        extensions: [
          basicSetup,
          language === "json" ? json() : yaml(),
          syntaxHighlighting(COLORS),
          lintGutter(),
          autocompletion({ override: [offer] }),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ "aria-label": label }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) latest.current.onChange(state.doc.toString());
          }),
        ],
      }),
    });
    view.current = editor;
    editor.focus();
    return () => editor.destroy();
  }, [language, label]);
  const { message, at } = problem ?? {};
  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const from = Math.min(at ?? 0, editor.state.doc.length);
    const found: Diagnostic[] = message ? [{ from, to: from, severity: "error", message }] : [];
    editor.dispatch(setDiagnostics(editor.state, found));
  }, [message, at]);
  return <div ref={place} className={classes.editor} />;
}
