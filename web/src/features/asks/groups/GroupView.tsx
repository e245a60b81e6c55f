import { Button } from "@mantine/core";
import { useRef } from "react";
import type { Ask } from "@/api/types";
import { RiskTag } from "@/ui/domain/RiskTag";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { Empty, Failed, Loading } from "@/ui/States";
import { Fields } from "@/ui/values/Values";
import { label } from "@/ui/values/valueFormat";
import { putTable, useTable } from "../outbox/tableDrafts";
import { useDecidedIds } from "../outbox/useOutbox";
import { useMembers } from "./askGroups";
import { type Column, nextOrder, shapeOf, sorted } from "./columns";
import { DecideRest } from "./DecideRest";
import { GroupTable } from "./GroupTable";
import classes from "./groups.module.css";
import { useExceptions } from "./useExceptions";
import { useLook } from "./useLook";

interface GroupViewProps {
  likeness: string;
  query: Parameters<typeof useMembers>[0];
  /** Nobody chose it: it stands where the one before was decided. */
  cameByItself: boolean;
  onDecided: () => void;
  onOpen: (askId: string) => void;
  onStep: (by: 1 | -1) => void;
}

/** Asks that are alike in one table: tick the exceptions, decide the rest at once. */
export default function GroupView({ likeness, query, cameByItself, onDecided, onOpen, onStep }: GroupViewProps) {
  const { list, asks: all, loaded, total, arrived, showArrived } = useMembers(query, likeness);
  const decided = useDecidedIds();
  const asks = all.filter(({ id }) => !decided.has(id));
  const { order } = useTable(likeness);
  const shape = shapeOf(asks);
  const rows = sorted(asks, shape.columns, order);
  const scroll = useRef<HTMLDivElement>(null);
  const sortBy = (column: Column) => {
    look.begin();
    putTable(likeness, { order: nextOrder(order, column, asks) });
  };
  const { cursor, exceptions, toggle, point, step } = useExceptions(likeness, rows);
  const look = useLook(cameByItself, loaded);
  const go = (by: 1 | -1) => {
    look.begin();
    step(by);
  };
  const digits = Object.fromEntries(shape.columns.slice(0, 9).map((column, at) => [at + 1, () => sortBy(column)]));
  const [first] = asks;
  useShortcutKeys(
    {
      ...digits,
      j: () => go(1),
      k: () => go(-1),
      x: () => {
        if (!cursor || first?.apart) return;
        toggle(cursor);
        go(1);
      },
      Enter: () => cursor && onOpen(cursor),
      n: () => onStep(1),
      p: () => onStep(-1),
    },
    ["j", "k"],
  );
  if (list.isPending) return <Loading lines={6} height={44} />;
  if (list.isError && all.length === 0)
    return <Failed what="Couldn't load these asks" error={list.error} retry={() => list.refetch()} />;
  if (!first)
    return (
      <Empty icon="circle-check" title="All of these are decided">
        {arrived > 0 && <Button onClick={showArrived}>Show {arrived} new</Button>}
      </Empty>
    );
  return (
    <article className={classes.view} data-fills onPointerDown={look.begin} onWheel={look.begin}>
      <div className={classes.scroll} ref={scroll}>
        <header className={classes.head}>
          <h2 tabIndex={-1}>{headline(first, asks.length)}</h2>
          <p className="row wrap small dim">
            {first.risk && <RiskTag level={first.risk.level} />}
            <span>{ruleWords(first, shape.columns)}</span>
          </p>
          {total > all.length && loaded && (
            <p className="small">
              These are the first {all.length.toLocaleString("en")} of {total.toLocaleString("en")}.
            </p>
          )}
          {first.apart && <p className="small">{first.apart}. Open each to decide it.</p>}
          {shape.constant.length > 0 && <Fields values={shape.constant} />}
          {arrived > 0 && (
            <Button size="compact-sm" variant="light" onClick={showArrived}>
              Show {arrived} new
            </Button>
          )}
        </header>
        <GroupTable
          rows={rows}
          columns={shape.columns}
          order={order}
          onSort={sortBy}
          onOrder={(order) => putTable(likeness, { order })}
          cursor={cursor}
          exceptions={first.apart ? null : exceptions}
          onToggle={toggle}
          onPoint={point}
          onOpen={onOpen}
          scroll={scroll}
        />
      </div>
      {!first.apart && (
        <DecideRest
          first={first}
          rest={asks.filter(({ id }) => !exceptions.has(id))}
          exceptions={exceptions.size}
          ready={loaded}
          look={look}
          likeness={likeness}
          onDecided={() => {
            // What is left of it is another table, and the same key is not meant for it.
            look.startAgain();
            onDecided();
          }}
        />
      )}
    </article>
  );
}

const headline = (first: Ask, count: number): string =>
  first.tool ? `${label(first.tool)}, ${count.toLocaleString("en")} times` : `${first.title}`;

/** The rule by which they are alike, and what is left to look at. */
function ruleWords(first: Ask, columns: Column[]): string {
  const names = columns.map(({ label: name }) => label(name));
  const differ = names.length > 0 ? `They differ in ${names.join(", ")}.` : "Nothing differs.";
  const alike = first.tool
    ? `Grouped because they have the same agent (${first.agent_name}), tool and target.`
    : "Grouped because they ask the same question.";
  return `${alike} ${differ}`;
}
