import { Button, Modal, NativeSelect, Textarea, UnstyledButton } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import type { Agent, Autonomy } from "@/api/types";
import { Empty, Failed, Loading } from "@/ui/States";
import { failed } from "@/ui/toast";
import classes from "./runs.module.css";
import { AUTONOMY, autonomyWords } from "./words";

interface StartRunProps {
  /** The slug of the agent to begin with. */
  agent: string;
  onClose: () => void;
}

/** Choose an agent, say what to do, and go to the new run. */
export default function StartRun({ agent, onClose }: StartRunProps) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  return (
    <Modal opened onClose={onClose} title="Start a run" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      {agents.isPending && <Loading lines={3} />}
      {agents.isError && (
        <Failed what="The agents could not be loaded" error={agents.error} retry={() => agents.refetch()} />
      )}
      {agents.data?.items.length === 0 && (
        <Empty icon="bot" title="There is no agent yet">
          Put one into the agents folder or create it by API.
        </Empty>
      )}
      {agents.data && agents.data.items.length > 0 && <Form agents={agents.data.items} first={agent} />}
    </Modal>
  );
}

function Form({ agents, first }: { agents: Agent[]; first: string }) {
  const navigate = useNavigate();
  const [slug, setSlug] = useState(() => agents.find((item) => item.slug === first)?.slug ?? agents[0]?.slug ?? "");
  const [task, setTask] = useState("");
  const [autonomy, setAutonomy] = useState<Autonomy | "">("");
  const agent = agents.find((item) => item.slug === slug);
  const start = api.useMutation("post", "/api/runs", {
    onSuccess: (run) => navigate({ to: "/runs/$runId", params: { runId: run.id } }),
    onError: failed,
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    start.mutate({ body: { agent: slug, task: task.trim(), autonomy: autonomy || null } });
  };
  const examples = agent?.example_tasks ?? [];
  const own = agent && autonomyWords(agent);
  return (
    <form className="stack" onSubmit={submit}>
      <NativeSelect
        label="Agent"
        description={agent?.title || agent?.description}
        value={slug}
        onChange={(event) => setSlug(event.currentTarget.value)}
        data={agents.map((item) => ({ value: item.slug, label: item.name }))}
      />
      <Textarea
        label="Task"
        placeholder="What should it do, and what should be there at the end?"
        required
        withAsterisk={false}
        data-autofocus
        autoFocus
        autosize
        minRows={3}
        maxRows={12}
        value={task}
        onChange={(event) => setTask(event.currentTarget.value)}
      />
      {examples.length > 0 && (
        <div className={classes.examples}>
          {examples.map((example) => (
            <UnstyledButton key={example} className={classes.example} onClick={() => setTask(example)}>
              {example}
            </UnstyledButton>
          ))}
        </div>
      )}
      <NativeSelect
        label="When it asks"
        description={autonomy ? AUTONOMY[autonomy].means : own?.means}
        value={autonomy}
        onChange={(event) => setAutonomy(event.currentTarget.value as Autonomy | "")}
        data={[
          { value: "", label: own ? `As the agent is set: ${own.label}` : "As the agent is set" },
          ...Object.entries(AUTONOMY).map(([value, { label }]) => ({ value, label })),
        ]}
      />
      <Button type="submit" mt="xs" loading={start.isPending} disabled={!task.trim() || !slug}>
        Start
      </Button>
    </form>
  );
}
