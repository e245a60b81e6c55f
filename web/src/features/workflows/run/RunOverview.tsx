import { Button, Progress } from "@mantine/core";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import type { Run } from "@/api/types";
import type { RunStep } from "@/api/workflows/workflows";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { reasonWords } from "@/ui/domain/runs/runSummary";
import { useTimeUsed } from "@/ui/domain/runs/runUsage";
import { Icon } from "@/ui/icons";
import { failed } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { duration } from "@/ui/time/duration";
import { failedNames, isResumable, progressWords, shareDone } from "../graph/stepStates";
import classes from "../workflows.module.css";
import { timeLeft } from "./timeLeft";

const ENOUGH = 10;

/** How far it is, what it does now, and how it ended. */
export function RunOverview({ run, steps }: { run: Run; steps: RunStep[] }) {
  const now = steps.filter(({ status }) => status === "running" || status === "waiting");
  return (
    <>
      {hasEnded(run) ? <EndBanner run={run} steps={steps} /> : <WaitsBanner steps={steps} />}
      <div className="row wrap">
        <h2 className="grow">{progressWords(steps)}</h2>
        {run.workflow && (
          <Link to="/workflows/$slug" params={{ slug: run.workflow }} className="small">
            Open the workflow
          </Link>
        )}
      </div>
      <Progress
        value={shareDone(steps)}
        size="md"
        aria-label="Steps done"
        color={run.status === "failed" ? "red" : undefined}
      />
      {!hasEnded(run) && (
        <p className={`small dim ${classes.facts}`}>
          {now.length > 0 && <span>Now: {now.map(({ id, name }) => name ?? id).join(", ")}</span>}
          <TimeLeft run={run} />
        </p>
      )}
    </>
  );
}

/** What a step's own call asks stands on no page but its own. */
function WaitsBanner({ steps }: { steps: RunStep[] }) {
  const held = steps.filter(({ status, waits_for: ask }) => status === "waiting" && ask);
  if (held.length === 0) return null;
  return (
    <section
      className={page.banner}
      data-tone="warn"
      aria-label="What it waits for"
      role="status"
      style={{ marginBottom: 0 }}
    >
      <Icon name="hourglass" />
      <strong style={{ flex: "1 1 12rem" }}>Waits for a person</strong>
      {held.map(({ id, name, waits_for: askId }) => (
        <Button
          key={id}
          size="xs"
          renderRoot={(props) => <Link {...props} to="/asks/$askId" params={{ askId: askId ?? "" }} />}
        >
          {held.length > 1 ? `Decide: ${name ?? id}` : "Decide"}
        </Button>
      ))}
    </section>
  );
}

/** From the runs of the same workflow that were completed, not from those of its steps. */
function TimeLeft({ run }: { run: Run }) {
  const used = useTimeUsed(run);
  const past = api.useQuery(
    "get",
    "/api/runs",
    { params: { query: { workflow: run.workflow, kind: "workflow", status: "completed", limit: ENOUGH } } },
    { enabled: Boolean(run.workflow), staleTime: Number.POSITIVE_INFINITY },
  ).data?.items;
  const left = timeLeft(
    (past ?? []).filter(({ test }) => test === run.test).map((each) => each.working_seconds),
    used,
  );
  if (left === null) return null;
  return <span>About {duration(left)} of work left</span>;
}

const ENDS = {
  completed: { icon: "circle-check", words: "All steps are done", tone: undefined },
  failed: { icon: "circle-x", words: "The workflow failed", tone: "bad" },
  cancelled: { icon: "ban", words: "The workflow was stopped", tone: "warn" },
  timeout: { icon: "hourglass", words: "The workflow reached its limit", tone: "warn" },
} as const;

/** Steps may fail without ending the run. */
const WITHOUT = { icon: "triangle-alert", words: "Done, but not all steps succeeded", tone: "warn" } as const;

function EndBanner({ run, steps }: { run: Run; steps: RunStep[] }) {
  const without = run.status === "completed" ? failedNames(steps) : "";
  const { icon, words, tone } = without ? WITHOUT : ENDS[run.status as keyof typeof ENDS];
  const said = run.error?.message;
  const why = run.status === "completed" ? `It took ${duration(run.duration_seconds)}.` : (said ?? reasonWords(run));
  return (
    <section
      className={page.banner}
      data-tone={tone}
      aria-label="How it ended"
      role="status"
      style={{ marginBottom: 0 }}
    >
      <Icon name={icon} />
      <span style={{ flex: "1 1 16rem" }}>
        <strong>
          {words}
          {without && `: ${without}`}.
        </strong>{" "}
        {String(why ?? "")}
      </span>
      {(run.status !== "completed" || without) && <Retry run={run} resumable={isResumable(steps)} />}
    </section>
  );
}

/** Once more: what is done stays done, or all anew. */
function Retry({ run, resumable }: { run: Run; resumable: boolean }) {
  const may = useMay("member");
  const navigate = useNavigate();
  const retry = api.useMutation("post", "/api/runs/{run_id}/retry", {
    onSuccess: (made: Run) => navigate({ to: "/runs/$runId", params: { runId: made.id } }),
    onError: failed,
  });
  const again = (from: "start" | "last_good") => retry.mutate({ params: { path: { run_id: run.id } }, body: { from } });
  if (!may) return null;
  return (
    <>
      {resumable && (
        <Button size="xs" loading={retry.isPending} onClick={() => again("last_good")}>
          Resume from the last good step
        </Button>
      )}
      <Button size="xs" variant="default" loading={retry.isPending} onClick={() => again("start")}>
        Retry from the start
      </Button>
    </>
  );
}
