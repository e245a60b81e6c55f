import { Button, NativeSelect } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { components } from "@/api/schema";
import { verdictWords } from "@/ui/domain/verdict";
import { Icon } from "@/ui/icons";
import { PERIODS, periodSince } from "@/ui/list/periods";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import { summary } from "@/ui/values/valueFormat";
import classes from "../rules.module.css";
import { askChange } from "./trialWords";

type Replayed = components["schemas"]["ReplayedOut"];
type Result = components["schemas"]["SimulateOut"];

interface SimulationProps {
  yaml: string;
  blocked: boolean;
  changed: boolean;
}

/** The draft, played over past decisions. */
export function Simulation({ yaml, blocked, changed }: SimulationProps) {
  const [days, setDays] = useState("30");
  const [tried, setTried] = useState("");
  const run = api.useMutation("post", "/api/rules/simulate", { onMutate: ({ body }) => setTried(body.yaml) });
  return (
    <section className={`card ${page.panel}`} aria-label="Simulate">
      <h2>Test on past decisions</h2>
      <p className="small dim">Checks past decisions against {changed ? "your draft" : "these rules"}. Nothing runs.</p>
      <div className="row">
        <NativeSelect
          className="grow"
          aria-label="Decisions of"
          value={days}
          onChange={(event) => setDays(event.currentTarget.value)}
          data={PERIODS}
        />
        <Button
          variant="default"
          leftSection={<Icon name="flask-conical" />}
          loading={run.isPending}
          disabled={blocked}
          onClick={() => run.mutate({ body: { yaml, since: periodSince(days) } })}
        >
          Simulate
        </Button>
      </div>
      {blocked && <p className="small dim">Fix the errors first.</p>}
      {run.isError && (
        <p className={classes.bad} role="alert">
          {wordsOf(run.error)}
        </p>
      )}
      {run.data && <Outcome result={run.data} old={tried !== yaml} />}
    </section>
  );
}

function Outcome({ result, old }: { result: Result; old: boolean }) {
  if (result.evaluated === 0) return <p className="small dim">No past decisions in this period.</p>;
  return (
    <>
      {old && <p className="small dim">The text has changed. Simulate again.</p>}
      <div className={classes.counts}>
        <div>
          <strong>{result.asks_before}</strong>
          <span className="tiny dim">asks before</span>
        </div>
        <Icon name="arrow-right" />
        <div>
          <strong>{result.asks_after}</strong>
          <span className="tiny dim">asks after</span>
        </div>
        <div className="grow" style={{ textAlign: "right" }}>
          <span>{askChange(result.asks_before, result.asks_after)}</span>
          <span className="tiny dim">{result.evaluated} decisions replayed</span>
        </div>
      </div>
      <LetThrough items={result.would_allow_denied} />
      {result.changed.length > 0 && (
        <>
          <div className="label">
            {result.changed_count} {result.changed_count === 1 ? "decision changes" : "decisions change"}
            {result.changed_count > result.changed.length && `, the newest ${result.changed.length} below`}
          </div>
          <ul className={classes.changes}>
            {result.changed.map((item) => (
              <Changed key={item.call_id} item={item} />
            ))}
          </ul>
        </>
      )}
    </>
  );
}

/** What people refused and the draft would let pass: the first thing to read. */
function LetThrough({ items }: { items: Replayed[] }) {
  if (items.length === 0)
    return (
      <p className="small row">
        <Icon name="shield-check" size={15} /> Nothing that people denied would run.
      </p>
    );
  return (
    <div className={classes.let} role="alert">
      <strong className={classes.bad}>
        It would run {items.length} {items.length === 1 ? "call" : "calls"} that people denied
      </strong>
      <ul className="small">
        {items.map((item) => (
          <li key={item.call_id}>
            <Link to="/runs/$runId" params={{ runId: item.run_id }}>
              {item.tool}: {summary(item.arguments) || item.run_title}
            </Link>
            {item.refused_by && `, denied by ${item.refused_by}`}
            {item.note && `: “${item.note}”`}
          </li>
        ))}
      </ul>
    </div>
  );
}

function Changed({ item }: { item: Replayed }) {
  const [before, after] = [verdictWords(item.before), verdictWords(item.after)];
  return (
    <li>
      <div className="row">
        <Tag tone={before.tone}>{before.label}</Tag>
        <Icon name="arrow-right" size={13} />
        <Tag tone={after.tone}>{after.label}</Tag>
        <span className="grow" />
        <span className="tiny dim">
          <Ago at={item.at} />
        </span>
      </div>
      <div className="cut">
        <code>{item.tool}</code> {summary(item.arguments)}
      </div>
      <div className="cut tiny dim">
        <Link to="/runs/$runId" params={{ runId: item.run_id }}>
          {item.run_title}
        </Link>
        {item.rule && ` · rule ${item.rule}`}
      </div>
    </li>
  );
}
