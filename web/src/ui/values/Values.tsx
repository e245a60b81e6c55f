import { Icon } from "../icons";
import { LongText } from "../text/LongText";
import { useShowMore } from "../text/ShowMore";
import { formatOf, isBlock, label } from "./valueFormat";
import classes from "./values.module.css";

const FIRST_FIELDS = 100;
const FIRST_ITEMS = 50;

/** Named values, rendered for reading: short ones in columns, long ones below their name. */
export function Fields({ values, depth = 0 }: { values: [string, unknown][]; depth?: number }) {
  const { shown, more } = useShowMore(values.length, FIRST_FIELDS, "fields");
  return (
    <>
      <dl className={classes.fields}>
        {values.slice(0, shown).map(([name, value]) => {
          const wide = isBlock(formatOf(value, depth)) ? classes.wide : undefined;
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
      {more}
    </>
  );
}

export function Value({ value, depth = 0 }: { value: unknown; depth?: number }) {
  const how = formatOf(value, depth);
  switch (how.as) {
    case "nothing":
      return <span className="dim">{how.text}</span>;
    case "word":
      return <>{how.text}</>;
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
          title="Opens another site"
        >
          {how.text}
          <Icon name="external-link" size={12} />
        </a>
      );
    case "text":
      return <LongText text={how.text} as={how.language} />;
    case "code":
    case "json":
      return <LongText text={how.text} as="code" />;
    case "list":
      return <List items={how.items} depth={depth} />;
    case "fields":
      return (
        <div className={classes.nested}>
          <Fields values={how.fields} depth={depth + 1} />
        </div>
      );
  }
}

/* biome-ignore-start lint/suspicious/noArrayIndexKey: values have no identity but their place */
function List({ items, depth }: { items: unknown[]; depth: number }) {
  const { shown, more } = useShowMore(items.length, FIRST_ITEMS, "items");
  return (
    <>
      <ul className={classes.list}>
        {items.slice(0, shown).map((item, index) => (
          <li key={index}>
            <Value value={item} depth={depth + 1} />
          </li>
        ))}
      </ul>
      {more}
    </>
  );
}

function Table({ columns, rows }: { columns: string[]; rows: unknown[][] }) {
  const { shown, more } = useShowMore(rows.length, FIRST_ITEMS, "rows");
  return (
    <>
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
            {rows.slice(0, shown).map((row, index) => (
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
      {more}
    </>
  );
}
/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */
