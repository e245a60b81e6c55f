import { lazy, Suspense } from "react";
import { parseExactly, writeExactly } from "@/api/exactIntegers";
import { Loading } from "../States";
import { Prose } from "../text/Prose";
import classes from "./filePreview.module.css";
import type { Shape } from "./fileShape";

const CsvTable = lazy(() => import("./CsvTable"));

/** A text in the form that reads best. Nothing in it becomes markup. */
export function FilePreview({ shape, text }: { shape: Shape; text: string }) {
  if (text.trim() === "") return <p className="dim">Empty file.</p>;
  switch (shape) {
    case "markdown":
      return <Prose text={text} />;
    case "csv":
      return (
        <Suspense fallback={<Loading lines={6} height={22} />}>
          <CsvTable text={text} />
        </Suspense>
      );
    case "json":
      return <Code text={pretty(text)} />;
    case "patch":
      return <Patch text={text} />;
    default:
      return <Code text={text} />;
  }
}

function pretty(text: string): string {
  try {
    return writeExactly(parseExactly(text), 2);
  } catch {
    return text;
  }
}

function Code({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.code} tabIndex={0} aria-label="Content">
      <pre>{text}</pre>
    </section>
  );
}

/* Lines have no identity but their place. */
/* biome-ignore-start lint/suspicious/noArrayIndexKey: see above */
function Patch({ text }: { text: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
    <section className={classes.code} tabIndex={0} aria-label="Changes">
      <pre>
        {text.split("\n").map((line, index) => (
          <span key={index} data-line={lineKind(line)}>
            {line}
            {"\n"}
          </span>
        ))}
      </pre>
    </section>
  );
}
/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */

function lineKind(line: string): string | undefined {
  if (/^(\+\+\+|---|@@|diff )/.test(line)) return "head";
  return line.startsWith("+") ? "added" : line.startsWith("-") ? "removed" : undefined;
}
