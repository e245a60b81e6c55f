import { Button, Checkbox, NativeSelect, Textarea, TextInput, UnstyledButton } from "@mantine/core";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { type FormEvent, useEffect, useRef, useState } from "react";
import { api, queries } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { useMay } from "@/api/roles";
import type { Agent, Autonomy } from "@/api/types";
import { AUTONOMY, autonomyWords, isLooser } from "@/ui/domain/autonomy";
import { type LimitTexts, limitsGiven, limitWords } from "@/ui/domain/runs/runLimits";
import { Icon } from "@/ui/icons";
import { ModelWarning } from "@/ui/models/ModelWarning";
import { DeceptiveTextWarning } from "@/ui/text/DeceptiveTextWarning";
import { FilesToGive } from "../files/FilesToGive";
import { useUploads } from "../files/useUploads";
import classes from "../runs.module.css";
import { AgentGallery } from "./AgentGallery";
import { ConnectionsToGrant, offeredBeside, useAvailableConnections } from "./ConnectionsToGrant";
import { type Granted, grantsGiven } from "./grants";
import { isMissing, RefusedWithout } from "./MissingConnections";
import { RunLimitFields } from "./RunLimitFields";

interface StartRunFormProps {
  agents: Agent[];
  first: string;
}

const runKey = (runId: string) =>
  api.queryOptions("get", "/api/runs/{run_id}", { params: { path: { run_id: runId } } }).queryKey;

const NO_LIMITS: LimitTexts = { hours: "", credits: "", iterations: "" };

export function StartRunForm({ agents, first }: StartRunFormProps) {
  const navigate = useNavigate();
  const admin = useMay("admin");
  const [slug, setSlug] = useState(() => agents.find((item) => item.slug === first)?.slug ?? agents[0]?.slug ?? "");
  const [task, setTask] = useState("");
  const [more, setMore] = useState(false);
  const [title, setTitle] = useState("");
  const [autonomy, setAutonomy] = useState<Autonomy | "">("");
  const [mode, setMode] = useState<"auto" | "plan" | "">("");
  const [skip, setSkip] = useState(false);
  const [limits, setLimits] = useState(NO_LIMITS);
  const uploads = useUploads();
  const { data: available, refetch: lookAgain } = useAvailableConnections(slug);
  const [granted, setGranted] = useState<Granted>({});
  // What somebody said to start without: of another agent, or of more, they have not.
  const [acceptedMissing, setAcceptedMissing] = useState<string | null>(null);
  const missing = [slug, ...(available?.missing ?? [])].join(" ");
  const agent = agents.find((item) => item.slug === slug);
  const router = useRouter();
  const field = useRef<HTMLTextAreaElement>(null);
  // The dialog looks for its first field before the agents are there.
  useEffect(() => field.current?.focus(), []);
  // The page to go to is there by the time that somebody has written the task.
  useEffect(() => {
    router.preloadRoute({ to: "/runs/$runId", params: { runId: "new" } });
  }, [router]);
  const start = api.useMutation("post", "/api/runs", {
    onError: (error) => isMissing(error) && lookAgain(),
    onSuccess: (run) => {
      queries.setQueryData(runKey(run.id), run);
      return navigate({ to: "/runs/$runId", params: { runId: run.id } });
    },
  });
  if (!agent) return null;
  const needed =
    available?.needed.flatMap(({ available: there, slug, tools }) => (there ? [{ connection: slug, tools }] : [])) ??
    [];
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({
      body: {
        agent: slug,
        task: task.trim(),
        title: title.trim() || null,
        autonomy: autonomy || null,
        mode: mode || null,
        skip_clarification: skip,
        limits: limitsGiven(limits),
        connections: grantsGiven(needed, granted, offeredBeside(available)),
        without_missing_connections: acceptedMissing === missing,
        files: uploads.files.flatMap(({ id }) => id ?? []),
      },
    });
  };
  const own = autonomyWords(agent);
  const offered = Object.entries(AUTONOMY) as [Autonomy, { label: string }][];
  return (
    <form className="stack" onSubmit={submit}>
      <AgentGallery agents={agents} chosen={slug} onChoose={setSlug} />
      <ModelWarning agent={agent} inForm />
      <div className={classes.task}>
        <Textarea
          label="Task"
          placeholder="What should it do, and what should you have at the end?"
          required
          withAsterisk={false}
          data-autofocus
          ref={field}
          autosize
          minRows={3}
          maxRows={12}
          value={task}
          onChange={(event) => setTask(event.currentTarget.value)}
        />
        <DeceptiveTextWarning of={task} />
        <Examples tasks={agent.example_tasks ?? []} onTake={setTask} />
      </div>
      <FilesToGive uploads={uploads} />
      <ConnectionsToGrant
        available={available}
        granted={granted}
        onChange={setGranted}
        startsWithout={acceptedMissing === missing}
        onStartWithout={(without) => {
          start.reset();
          setAcceptedMissing(without ? missing : null);
        }}
      />
      <NativeSelect
        label="When it asks"
        description={autonomy ? AUTONOMY[autonomy].description : own.description}
        value={autonomy}
        onChange={(event) => setAutonomy(event.currentTarget.value as Autonomy | "")}
        data={[
          { value: "", label: `Agent's setting: ${own.label}` },
          ...offered.map(([value, { label }]) => ({
            value,
            label: !admin && isLooser(value, agent) ? `${label} (admins only)` : label,
            disabled: !admin && isLooser(value, agent),
          })),
        ]}
      />
      {more ? (
        <>
          <TextInput
            label="Title"
            placeholder="Default: the first line of the task"
            maxLength={200}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <RunLimitFields limits={limits} own={agent.limits} onChange={setLimits} />
          <NativeSelect
            label="How it starts"
            value={mode}
            onChange={(event) => setMode(event.currentTarget.value as typeof mode)}
            data={[
              { value: "", label: `Agent's setting: ${agent.mode === "plan" ? "plan first" : "start working"}` },
              { value: "auto", label: "Start working" },
              { value: "plan", label: "Plan first: you approve the steps, then it does exactly those" },
            ]}
          />
          {agent.clarify && (
            <Checkbox
              label="Skip its questions about the task"
              checked={skip}
              onChange={(event) => setSkip(event.currentTarget.checked)}
            />
          )}
        </>
      ) : (
        <div className={classes.sentence}>
          <p>{limitWords(agent.limits, limits)}</p>
          <Button variant="default" size="compact-sm" onClick={() => setMore(true)}>
            Change limits, title and more
          </Button>
        </div>
      )}
      {start.isError && (
        <p role="alert" style={{ color: "var(--bad)" }}>
          {isMissing(start.error) ? <RefusedWithout refused={start.error} /> : wordsOf(start.error)}
        </p>
      )}
      <div className={classes.go}>
        <Button
          type="submit"
          fullWidth
          loading={start.isPending}
          disabled={!task.trim() || uploads.busy}
          leftSection={<Icon name="play" size={15} />}
        >
          Start
        </Button>
      </div>
    </form>
  );
}

function Examples({ tasks, onTake }: { tasks: string[]; onTake: (task: string) => void }) {
  if (tasks.length === 0) return null;
  return (
    <div className={classes.examples}>
      {tasks.map((example) => (
        <UnstyledButton key={example} className={classes.example} onClick={() => onTake(example)}>
          {example}
        </UnstyledButton>
      ))}
    </div>
  );
}
