import { parseExactly, writeExactly } from "@/api/exactIntegers";
import { Prose } from "../text/Prose";
import { isFigure, readCsv } from "./csv";
import classes from "./filePreview.module.css";
import type { Shape } from "./fileShape";

/** A text in the form that reads best. Nothing in it becomes markup. */
export function FilePreview({ shape, text }: { shape: Shape; text: string }) {
  if (text.trim() === "") return <p className="dim">It is empty.</p>;
  switch (shape) {
    case "markdown":
      return <Prose text={text} />;
    case "csv":
      return <Table text={text} />;
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

/* Rows and lines have no identity but their place. */
/* biome-ignore-start lint/suspicious/noArrayIndexKey: see above */
function Table({ text }: { text: string }) {
  const { head, rows, total } = readCsv(text);
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.sheet} tabIndex={0} aria-label="Table">
        <table>
          <thead>
            <tr>
              {head.map((cell, index) => (
                <th key={index} data-figure={isFigure(rows[0]?.[index] ?? "") || undefined}>
                  {cell}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <tr key={index}>
                {row.map((cell, column) => (
                  <td key={column} data-figure={isFigure(cell) || undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className="tiny dim" style={{ marginTop: "0.4rem" }}>
        {rows.length < total
          ? `The first ${rows.length} of ${total} rows. Download it to see the rest.`
          : `${total} rows`}
      </p>
    </>
  );
}

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
