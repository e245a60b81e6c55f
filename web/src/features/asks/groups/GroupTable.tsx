import { Checkbox, UnstyledButton } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { label } from "@/ui/values/valueFormat";
import { valueText } from "@/ui/values/valueText";
import type { Column, Order } from "./columns";
import classes from "./groups.module.css";
import { SortChoice } from "./SortChoice";

interface GroupTableProps {
  rows: Ask[];
  columns: Column[];
  order: Order | null;
  onSort: (column: Column) => void;
  onOrder: (order: Order | null) => void;
  cursor: string | undefined;
  /** None: they cannot be decided together. */
  exceptions: ReadonlySet<string> | null;
  onToggle: (id: string) => void;
  onPoint: (id: string) => void;
  onOpen: (id: string) => void;
  scroll: RefObject<HTMLDivElement | null>;
}

const ROW = 45;
const AROUND = 10;
// Beyond so many characters a value says how long it is: its box may have to be scrolled.
const LONG = 300;

/** One row for each ask, one column for everything that differs. */
export function GroupTable({ rows, columns, scroll, cursor, exceptions, ...props }: GroupTableProps) {
  const table = useRef<HTMLTableElement>(null);
  const [above, setAbove] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what stands above it changes with the columns
  useLayoutEffect(() => setAbove(table.current?.offsetTop ?? 0), [columns.length, rows.length]);
  const drawn = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroll.current,
    getItemKey: (index) => rows[index]?.id ?? index,
    estimateSize: () => ROW,
    overscan: AROUND,
    scrollMargin: above,
  });
  const at = rows.findIndex(({ id }) => id === cursor);
  const moved = useRef(false);
  useEffect(() => {
    if (moved.current && at >= 0) drawn.scrollToIndex(at);
    moved.current = true;
  }, [at, drawn]);
  const items = drawn.getVirtualItems();
  const before = (items[0]?.start ?? above) - above;
  const after = drawn.getTotalSize() + above - (items.at(-1)?.end ?? above);
  return (
    <>
      <SortChoice columns={columns} order={props.order} ticks={exceptions !== null} onOrder={props.onOrder} />
      <table className={classes.table} ref={table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            {exceptions && <th className={classes.tick}>Except</th>}
            {columns.map((column, index) => (
              <th key={column.key} aria-sort={ariaSort(props.order, column)}>
                <UnstyledButton
                  className={classes.sort}
                  onClick={() => props.onSort(column)}
                  title={`Sort (${index + 1})`}
                >
                  {label(column.label)}
                  {props.order?.key === column.key && (
                    <Icon name={props.order.down ? "arrow-down" : "arrow-up"} size={12} />
                  )}
                </UnstyledButton>
              </th>
            ))}
            <th className={classes.open}>Open</th>
          </tr>
        </thead>
        <tbody>
          {before > 0 && <tr aria-hidden className={classes.spacer} style={{ height: before }} />}
          {items.map(({ index, key }) => {
            const ask = rows[index];
            return (
              ask && (
                <tr
                  key={key}
                  ref={drawn.measureElement}
                  data-index={index}
                  aria-rowindex={index + 2}
                  className={classes.row}
                  data-cursor={ask.id === cursor || undefined}
                  data-exception={exceptions?.has(ask.id) || undefined}
                  onClick={() => props.onPoint(ask.id)}
                >
                  {exceptions && (
                    <td className={classes.tick}>
                      <Checkbox
                        size="xs"
                        aria-label={`Leave out ${ask.title}`}
                        checked={exceptions.has(ask.id)}
                        onChange={() => props.onToggle(ask.id)}
                      />
                    </td>
                  )}
                  {columns.map((column) => (
                    <td key={column.key}>
                      <span className={classes.name} aria-hidden>
                        {label(column.label)}
                      </span>
                      <Cell value={column.value(ask)} />
                    </td>
                  ))}
                  <td className={classes.open}>
                    <UnstyledButton
                      className={classes.sort}
                      aria-label={`Open ${ask.title}`}
                      onClick={() => props.onOpen(ask.id)}
                    >
                      <Icon name="chevron-right" size={16} />
                    </UnstyledButton>
                  </td>
                </tr>
              )
            );
          })}
          {after > 0 && <tr aria-hidden className={classes.spacer} style={{ height: after }} />}
        </tbody>
      </table>
    </>
  );
}

const ariaSort = (order: Order | null, { key }: Column) =>
  order?.key === key ? (order.down ? "descending" : "ascending") : "none";

/** All of a value: what is long scrolls in its place and says how long it is. */
function Cell({ value }: { value: unknown }) {
  if (value === undefined) return <span className="dim">not given</span>;
  const text = valueText(value);
  if (text === "") return <span className="dim">empty</span>;
  if (text.length <= LONG && !text.includes("\n"))
    return <span className={typeof value === "number" ? "num" : classes.text}>{text}</span>;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard */}
      <section className={classes.long} tabIndex={0} aria-label="Text">
        {text}
      </section>
      <span className="small dim num">{text.length.toLocaleString("en")} characters</span>
    </>
  );
}
