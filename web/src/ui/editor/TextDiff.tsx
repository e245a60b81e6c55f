import { unifiedMergeView } from "@codemirror/merge";
import { EditorState } from "@codemirror/state";
import { EditorView, lineNumbers } from "@codemirror/view";
import { useEffect, useRef } from "react";
import classes from "./editor.module.css";
import { withNumbers } from "./hiddenInEditor";
import { languageOf } from "./useCodeEditor";

interface TextDiffProps {
  before: string;
  after: string;
  label: string;
}

/** What changed between two texts, in one column: what is gone above what came. */
export default function TextDiff({ before, after, label }: TextDiffProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!place.current) return;
    const editor = new EditorView({
      parent: place.current,
      // What is gone is shown as mere text, so both have their numbers written out.
      doc: withNumbers(after),
      extensions: [
        lineNumbers(),
        languageOf("yaml"),
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, "aria-readonly": "true", tabindex: "0" }),
        EditorView.lineWrapping,
        unifiedMergeView({
          original: withNumbers(before),
          mergeControls: false,
          collapseUnchanged: { margin: 3, minSize: 6 },
          syntaxHighlightDeletions: false,
        }),
      ],
    });
    return () => editor.destroy();
  }, [before, after, label]);
  return <div ref={place} className={`${classes.editor} ${classes.diff}`} />;
}
