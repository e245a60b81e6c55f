import { autocompletion, type CompletionSource } from "@codemirror/autocomplete";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Extension } from "@codemirror/state";
import { EditorView, highlightSpecialChars } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { basicSetup } from "codemirror";
import { useEffect, useRef } from "react";
import { hidden } from "../text/deceptiveText";
import { HIDDEN_ONES } from "./hiddenInEditor";

export type Language = "json" | "yaml";

interface EditorProps {
  language: Language;
  label: string;
  text: string;
  readOnly?: boolean;
  complete: CompletionSource;
  onChange: (text: string) => void;
}

export const languageOf = (language: Language): Extension => [
  language === "json" ? json() : yaml(),
  syntaxHighlighting(classHighlighter),
];

/** What cannot be seen is shown by its number; the text itself stays as it is. */
export const showHidden = highlightSpecialChars({
  addSpecialChars: HIDDEN_ONES,
  render: (code) => {
    const { text, means } = hidden(String.fromCodePoint(code));
    return Object.assign(document.createElement("mark"), { className: "unseen", textContent: text, title: means });
  },
});

/** A code editor in the element that `place` is given to. `more` is read once, when it is made. */
export function useCodeEditor({ language, label, readOnly = false, ...props }: EditorProps, more: Extension = []) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const latest = useRef({ ...props, more });
  latest.current = { ...props, more };
  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      doc: latest.current.text,
      extensions: [
        latest.current.more,
        basicSetup,
        showHidden,
        languageOf(language),
        lintGutter(),
        autocompletion({ override: [(context) => latest.current.complete(context)], icons: false }),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
        EditorState.readOnly.of(readOnly),
        EditorView.updateListener.of(({ docChanged, state }) => {
          if (docChanged && !readOnly) latest.current.onChange(state.doc.toString());
        }),
      ],
    });
    view.current = editor;
    return () => editor.destroy();
  }, [language, label, readOnly]);
  return { place, view };
}

/** Mark what is wrong. */
export const showProblems = (editor: EditorView, problems: Diagnostic[]): void =>
  editor.dispatch(setDiagnostics(editor.state, problems));
