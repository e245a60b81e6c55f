import { Icon } from "./icons";
import { Prose } from "./Prose";
import { isBlock, label, reading } from "./reading";
import classes from "./values.module.css";

/** Named values, rendered for reading: short ones in columns, long ones below their name. */
export function Fields({ values, depth = 0 }: { values: [string, unknown][]; depth?: number }) {
  return (
    <dl className={classes.fields}>
      {values.map(([name, value]) => {
        const wide = isBlock(reading(value, depth)) ? classes.wide : undefined;
        return [
          <dt key={`${name}:`} className={wide}>
            {label(name)}
          </dt>,
          <dd key={name} className={wide}>
            <Value value={value} depth={depth} />
          </dd>,
        ];
      })}
    </dl>
  );
}

export function Value({ value, depth = 0 }: { value: unknown; depth?: number }) {
  const how = reading(value, depth);
  switch (how.as) {
    case "nothing":
      return <span className="dim">none</span>;
    case "word":
      return how.text;
    case "number":
      return <span className="num">{how.text}</span>;
    case "table":
      return <Table columns={how.columns} rows={how.rows} />;
    case "link":
      return (
        <a
          className={classes.external}
          href={how.text}
          target="_blank"
          rel="noopener noreferrer nofollow"
          title="Leads outside of Signoff"
        >
          {how.text}
          <Icon name="external-link" size={12} />
        </a>
      );
    case "text":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={classes.text} tabIndex={0} aria-label="Text">
          {how.language === "markdown" ? <Prose text={how.text} /> : <div className={classes.plain}>{how.text}</div>}
        </section>
      );
    case "code":
    case "json":
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={classes.json} tabIndex={0}>
          {how.text}
        </pre>
      );
    case "list":
      return (
        <ul className={classes.list}>
          {how.items.map((item, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity but their place
            <li key={index}>
              <Value value={item} depth={depth + 1} />
            </li>
          ))}
        </ul>
      );
    case "fields":
      return (
        <div className={classes.nested}>
          <Fields values={how.fields} depth={depth + 1} />
        </div>
      );
  }
}

/* biome-ignore-start lint/suspicious/noArrayIndexKey: values have no identity but their place */
function Table({ columns, rows }: { columns: string[]; rows: unknown[][] }) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name}>{label(name)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((value, column) => (
                <td key={column}>
                  <Value value={value} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */
