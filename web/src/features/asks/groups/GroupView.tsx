import { Button } from "@mantine/core";
import { lazy, Suspense, useRef, useState } from "react";
import { useMe } from "@/api/me";
import type { Answer, Ask } from "@/api/types";
import { RiskTag } from "@/ui/domain/RiskTag";
import { Icon } from "@/ui/icons";
import { useOverlay } from "@/ui/overlay/useOverlay";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { Empty, Failed, Loading } from "@/ui/States";
import { Fields } from "@/ui/values/Values";
import { label } from "@/ui/values/valueFormat";
import { AnswerField } from "../kinds/Question";
import { decideTogether } from "../outbox/decide";
import { useDecidedIds } from "../outbox/useOutbox";
import { useMembers } from "./askGroups";
import { type Column, nextOrder, type Order, shapeOf, sorted } from "./columns";
import { GroupTable } from "./GroupTable";
import classes from "./groups.module.css";
import { useExceptions } from "./useExceptions";

const DenyTogether = lazy(() => import("./DenyTogether"));

interface GroupViewProps {
  likeness: string;
  query: Parameters<typeof useMembers>[0];
  onDecided: () => void;
  onOpen: (askId: string) => void;
  onStep: (by: 1 | -1) => void;
}

/** Asks that are alike in one table: tick the exceptions, decide the rest at once. */
export default function GroupView({ likeness, query, onDecided, onOpen, onStep }: GroupViewProps) {
  const { list, asks: all, loaded, total, arrived, showArrived } = useMembers(query, likeness);
  const decided = useDecidedIds();
  const asks = all.filter(({ id }) => !decided.has(id));
  const [order, setOrder] = useState<Order | null>(null);
  const shape = shapeOf(asks);
  const rows = sorted(asks, shape.columns, order);
  const scroll = useRef<HTMLDivElement>(null);
  const sortBy = (column: Column | undefined) => column && setOrder(nextOrder(order, column, asks));
  const { cursor, exceptions, toggle, point, step } = useExceptions(rows);
  const digits = Object.fromEntries(shape.columns.slice(0, 9).map((column, at) => [at + 1, () => sortBy(column)]));
  const [first] = asks;
  useShortcutKeys(
    {
      ...digits,
      j: () => step(1),
      k: () => step(-1),
      x: () => cursor && !first?.apart && toggle(cursor),
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
    <article className={classes.view} data-fills>
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
          likeness={likeness}
          onDecided={onDecided}
        />
      )}
    </article>
  );
}

interface DecideRestProps {
  first: Ask;
  rest: Ask[];
  exceptions: number;
  ready: boolean;
  likeness: string;
  onDecided: () => void;
}

/** What happens to all that are not ticked. */
function DecideRest({ first, rest, exceptions, ready, likeness, onDecided }: DecideRestProps) {
  const me = useMe();
  const { over: denying, open, close } = useOverlay<"deny">();
  const count = rest.length.toLocaleString("en");
  const which = exceptions > 0 ? `the other ${count}` : `all ${count}`;
  const decide = (answer: Answer) => {
    const title = first.tool ? label(first.tool) : first.title;
    decideTogether(rest, answer, me, { title, group: likeness });
    onDecided();
  };
  const approves = first.kind === "approval";
  const may = ready && rest.length > 0;
  const approve = may && first.may_decide ? () => decide({ decision: "approve" }) : undefined;
  const deny = may && first.may_refuse ? () => open("deny") : undefined;
  useShortcutKeys(approves ? { a: approve, d: deny } : {});
  const stays = exceptions === 0 ? "" : exceptions === 1 ? "1 stays open." : `${exceptions} stay open.`;
  return (
    <footer className={classes.bar}>
      {!ready && <p className="small dim">Loading all of them…</p>}
      {approves ? (
        <div className="row wrap">
          <Button
            leftSection={<Icon name="check" size={15} />}
            rightSection={<kbd>A</kbd>}
            disabled={!approve}
            onClick={approve}
          >
            Approve {which}
          </Button>
          <Button variant="default" rightSection={<kbd>D</kbd>} disabled={!deny} onClick={deny}>
            Deny {which}…
          </Button>
          <span className="small dim">{stays}</span>
        </div>
      ) : (
        <div className="stack">
          <p className="small">
            Your answer goes to {which}. {stays}
          </p>
          {may && first.may_decide && (
            <AnswerField
              type={first.response_type}
              ask={first}
              send={(value) => decide({ decision: "respond", value })}
            />
          )}
        </div>
      )}
      {!first.may_decide && <p className="small dim">{first.barred ?? "You can't decide these."}</p>}
      {denying && deny && (
        <Suspense>
          <DenyTogether count={rest.length} onClose={close} onDeny={(note) => decide({ decision: "deny", note })} />
        </Suspense>
      )}
    </footer>
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
