import { useMemo } from "react";
import { extent, isFigure, readCsv } from "./csv";
import classes from "./filePreview.module.css";

/* Rows and cells have no identity but their place. */
/* biome-ignore-start lint/suspicious/noArrayIndexKey: see above */
/** A table of separated values. */
export default function CsvTable({ text }: { text: string }) {
  const sheet = useMemo(() => readCsv(text), [text]);
  const { head, rows } = sheet;
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
        {extent(sheet)}
      </p>
    </>
  );
}
/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */
