import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMay } from "@/api/roles";
import type { Workflow } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import type { HistoryState, TextHandle } from "../text/WorkflowTextEditor";
import type { WorkflowDraft } from "./useWorkflowDraft";

const ExecuteDialog = lazy(() => import("../run/ExecuteDialog"));
const HookDialog = lazy(() => import("../hook/HookDialog"));
const TryDialog = lazy(() => import("./TryDialog"));
const VersionsDialog = lazy(() => import("./VersionsDialog"));

interface EditorHeadProps {
  title: string;
  workflow: Workflow | undefined;
  draft: WorkflowDraft;
  past: HistoryState;
  history: () => TextHandle | null;
}

/** The workflow's name, how it stands, and all that can be done with it. */
export function EditorHead({ title, workflow, draft, past, history }: EditorHeadProps) {
  const admin = useMay("admin");
  const member = useMay("member");
  const [open, setOpen] = useState<"run" | "try" | "versions" | "hook" | null>(null);
  const close = () => setOpen(null);
  const { save, deploy, changed, read } = draft;
  const isDeployed = workflow !== undefined && workflow.deployed_version === workflow.version;
  return (
    <header className={page.head}>
      <h1 title={title}>{title}</h1>
      <Standing workflow={workflow} changed={changed} />
      {admin && (
        <ActionIcon.Group>
          <Tooltip label="Undo (Ctrl Z)">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Undo"
              disabled={!past.undo}
              onClick={() => history()?.undo()}
            >
              <Icon name="undo" />
            </ActionIcon>
          </Tooltip>
          <Tooltip label="Redo (Ctrl Shift Z)">
            <ActionIcon
              variant="default"
              size="lg"
              aria-label="Redo"
              disabled={!past.redo}
              onClick={() => history()?.redo()}
            >
              <Icon name="redo" />
            </ActionIcon>
          </Tooltip>
        </ActionIcon.Group>
      )}
      {workflow && (
        <Button variant="default" leftSection={<Icon name="history" size={14} />} onClick={() => setOpen("versions")}>
          Versions
        </Button>
      )}
      {admin && workflow && (
        <Button variant="default" onClick={() => setOpen("hook")}>
          Webhook
        </Button>
      )}
      {member && (
        <Button
          variant="default"
          leftSection={<Icon name="flask-conical" size={14} />}
          disabled={!workflow || !read.ok}
          onClick={() => setOpen("try")}
        >
          Test
        </Button>
      )}
      {admin && (
        <>
          <Button variant="default" loading={save.isPending} disabled={!changed} onClick={() => save.mutate(undefined)}>
            Save
          </Button>
          <Button
            variant="default"
            loading={deploy.isPending}
            disabled={!workflow || changed || isDeployed}
            onClick={() => deploy.mutate()}
          >
            Deploy
          </Button>
        </>
      )}
      {member && (
        <Button
          leftSection={<Icon name="play" size={13} />}
          disabled={!workflow?.deployed_version}
          onClick={() => setOpen("run")}
        >
          Run
        </Button>
      )}
      <Suspense>
        {workflow && open === "run" && <ExecuteDialog workflow={workflow} onClose={close} />}
        {workflow && open === "hook" && <HookDialog workflow={workflow} onClose={close} />}
        {workflow && open === "try" && read.ok && (
          <TryDialog
            workflow={workflow}
            definition={read.definition}
            text={draft.text}
            changed={changed}
            onClose={close}
          />
        )}
        {workflow && open === "versions" && (
          <VersionsDialog workflow={workflow} onClose={close} onRestored={draft.replace} />
        )}
      </Suspense>
    </header>
  );
}

function Standing({ workflow, changed }: { workflow: Workflow | undefined; changed: boolean }) {
  if (changed) return <Tag tone="warn">Not saved</Tag>;
  if (!workflow) return <Tag>New</Tag>;
  const { version, deployed_version: deployed } = workflow;
  return deployed === version ? (
    <Tag tone="good">Version {version} deployed</Tag>
  ) : (
    <Tag tone="warn" title={deployed ? `Version ${deployed} is what runs` : "Nothing of it runs yet"}>
      Version {version}, a draft
    </Tag>
  );
}
