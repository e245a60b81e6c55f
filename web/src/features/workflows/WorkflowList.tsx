import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useState } from "react";
import { useMay } from "@/api/roles";
import { readWorkflows, type Workflow, workflowsKey } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import { traitsOf } from "./graph/traits";
import { freeId } from "./text/stepChanges";
import classes from "./workflows.module.css";

const ExecuteDialog = lazy(() => import("./run/ExecuteDialog"));

/** All workflows, each to open or to run, and the way to a new one. */
export function WorkflowList() {
  const admin = useMay("admin");
  const member = useMay("member");
  const [running, setRunning] = useState<Workflow | null>(null);
  const list = useQuery({ queryKey: workflowsKey, queryFn: readWorkflows });
  if (list.isPending) return <Loading lines={4} />;
  if (!list.data) return <Failed what="Couldn't load the workflows" error={list.error} retry={() => list.refetch()} />;
  const items = list.data.items.toSorted((one, other) => one.name.localeCompare(other.name));
  const make = <NewWorkflow taken={items.map(({ slug }) => slug)} />;
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Workflows</h1>
        {admin && items.length > 0 && make}
      </header>
      {items.length > 0 && (
        <p className={page.lead}>
          Agents that work one after another or side by side, and checkpoints where people sign off.
        </p>
      )}
      {items.length === 0 ? (
        <div className="card">
          <Empty icon="layers" title="No workflows yet" action={admin && make}>
            A workflow lets agents work one after another or side by side. Each gets what those before it made, and
            people sign off where you put a checkpoint.
          </Empty>
        </div>
      ) : (
        <ul className={`card ${page.list} ${classes.rows}`} aria-label="Workflows">
          {items.map((workflow) => (
            <WorkflowRow
              key={workflow.slug}
              workflow={workflow}
              onRun={member ? () => setRunning(workflow) : undefined}
            />
          ))}
        </ul>
      )}
      <Suspense>{running && <ExecuteDialog workflow={running} onClose={() => setRunning(null)} />}</Suspense>
    </div>
  );
}

function WorkflowRow({ workflow, onRun }: { workflow: Workflow; onRun?: () => void }) {
  const { slug, name, description, steps, version, deployed_version: deployed, definition } = workflow;
  const facts = [steps === 1 ? "1 step" : `${steps} steps`, ...traitsOf(definition.steps)];
  return (
    <li className={classes.item}>
      <div className={classes.about}>
        <div className="row wrap">
          <Link to="/workflows/$slug" params={{ slug }}>
            <strong>{name}</strong>
          </Link>
          {deployed !== version && <Tag tone="warn">{deployed ? "Newer draft" : "Draft"}</Tag>}
        </div>
        {description && <p className="small">{description}</p>}
        <p className="tiny dim">
          {facts.join(" · ")} · Version {version}, <Ago at={workflow.updated_at} />
        </p>
      </div>
      {onRun && (
        <Button
          variant="default"
          leftSection={<Icon name="play" size={14} />}
          aria-label={`Run ${name}`}
          disabled={!deployed}
          title={deployed ? undefined : "There are only drafts. Deploy one first."}
          onClick={onRun}
        >
          Run
        </Button>
      )}
    </li>
  );
}

/** Nothing is saved before it has a step. */
function NewWorkflow({ taken }: { taken: string[] }) {
  const slug = freeId("new-workflow", taken);
  return (
    <Button
      leftSection={<Icon name="plus" />}
      renderRoot={(props) => <Link {...props} to="/workflows/$slug" params={{ slug }} search={{ new: true }} />}
    >
      New workflow
    </Button>
  );
}
