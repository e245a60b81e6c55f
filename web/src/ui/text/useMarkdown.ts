import { useEffect, useMemo, useState } from "react";
import type { Part } from "./markdown";

type Parse = (text: string) => Part[];

let known: Parse | undefined;

/** The parser is large and most texts on a page do without, so it comes with the first that has marks in it. */
export async function loadMarkdown(): Promise<Parse> {
  const { parseMarkdown } = await import("./markdown");
  known = parseMarkdown;
  return parseMarkdown;
}

/** A text's blocks. Until the parser is there, or when it cannot be loaded, the text as it is written. */
export function useMarkdown(text: string): Part[] {
  const [parse, setParse] = useState(() => known);
  const plain = useMemo(() => paragraphs(text), [text]);
  const missing = !plain && !parse;
  useEffect(() => {
    if (!missing) return;
    let gone = false;
    loadMarkdown().then(
      (loaded) => gone || setParse(() => loaded),
      () => {},
    );
    return () => {
      gone = true;
    };
  }, [missing]);
  return useMemo(() => plain ?? parse?.(text) ?? written(text), [plain, parse, text]);
}

const MARKS = /[\\`*_[\]<>#|~\r]|^(\s|[-+=]|\d{1,9}[.)])|[ \t]$/m;

/** The paragraphs of a text that has no other marks. */
function paragraphs(text: string): Part[] | null {
  const blocks = text.split(/\n{2,}/).filter(Boolean);
  if (blocks.some((source) => MARKS.test(source))) return null;
  return blocks.map((source) => ({ source, block: { type: "paragraph", spans: [{ type: "text", text: source }] } }));
}

const written = (text: string): Part[] => [{ source: text, block: { type: "written", text } }];
