import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import type { Agent } from "@/api/types";
import { LeaveQuestion } from "@/ui/overlay/LeaveQuestion";
import { said } from "@/ui/overlay/toast";
import { DeceptiveTextWarning } from "@/ui/text/DeceptiveTextWarning";
import classes from "../agents.module.css";
import { AdvancedFields } from "./AdvancedFields";
import { AgentLimitFields } from "./AgentLimitFields";
import { AutonomyCards } from "./AutonomyCards";
import { BLANK, changesOf, definitionOf, type Form, formOf, problemsOf } from "./agentDefinition";
import { BehaviourFields } from "./BehaviourFields";
import { IdentityFields } from "./IdentityFields";
import { InstructionsField } from "./InstructionsField";
import { NeededConnections } from "./NeededConnections";
import { NotificationFields } from "./NotificationFields";
import { ToolTable } from "./ToolTable";

interface AgentFormProps {
  /** Nothing: a new one. */
  agent?: Agent;
  readOnly?: boolean;
}

export interface PartProps {
  form: Form;
  set: (change: Partial<Form>) => void;
  problems: Partial<Record<keyof Form, string>>;
}

/** Everything about an agent that people change. Saving makes a new revision; runs under way keep theirs. */
export function AgentForm({ agent, readOnly = false }: AgentFormProps) {
  const before = agent ? formOf(agent) : BLANK;
  const [form, setForm] = useState(before);
  const [tried, setTried] = useState(false);
  const [round, setRound] = useState(0);
  const save = useSave(agent);
  const problems = problemsOf(form, !agent);
  const wrong = Object.values(problems);
  // A schema that cannot be read yet is a change as well.
  const touched = Object.keys(changesOf(before, form)).length > 0 || form.output !== before.output;
  const changed = !agent || touched;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (wrong.length === 0) save.start(before, form);
  };
  const discard = () => {
    setForm(before);
    // An editor reads its text once.
    setRound(round + 1);
  };
  const part = {
    form,
    set: (change: Partial<Form>) => setForm({ ...form, ...change }),
    problems: tried ? problems : {},
  };
  return (
    <form onSubmit={submit} noValidate>
      <fieldset className={classes.form} disabled={readOnly || save.pending}>
        <IdentityFields {...part} isNew={!agent} />
        <AutonomyCards {...part} />
        <BehaviourFields {...part} />
        <ToolTable {...part} />
        <NeededConnections {...part} />
        <InstructionsField {...part} />
        <AgentLimitFields {...part} />
        <NotificationFields {...part} />
        <DeceptiveTextWarning of={form} />
        <AdvancedFields key={round} {...part} readOnly={readOnly} />
      </fieldset>
      <LeaveQuestion unsaved={() => touched && !readOnly && !save.pending} />
      {!readOnly && (
        <div className={classes.saveBar}>
          <span className="grow small" role="status">
            {save.error ? (
              <span className={classes.bad}>{wordsOf(save.error)}</span>
            ) : tried && wrong.length > 0 ? (
              <span className={classes.bad}>{wrong.join(" ")}</span>
            ) : agent && changed ? (
              `Saving makes revision ${agent.revision + 1}. Current runs keep theirs.`
            ) : null}
          </span>
          {agent ? (
            <Button variant="default" disabled={!changed || save.pending} onClick={discard}>
              Discard
            </Button>
          ) : (
            <Button variant="default" renderRoot={(props) => <Link {...props} to="/agents" />}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={save.pending} disabled={!changed}>
            {agent ? "Save" : "Create agent"}
          </Button>
        </div>
      )}
    </form>
  );
}

function useSave(agent?: Agent) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const done = async (saved: Agent) => {
    said(agent ? `Revision ${saved.revision} is in use from now on.` : `${saved.name} is ready.`);
    await queries.invalidateQueries({ queryKey: keyOf("/api/agents") });
    await queries.invalidateQueries({ queryKey: keyOf("/api/agents/{slug}/revisions") });
    await queries.invalidateQueries({ queryKey: keyOf("/api/agents/{slug}") });
    if (!agent) await navigate({ to: "/agents/$slug", params: { slug: saved.slug } });
  };
  const create = api.useMutation("post", "/api/agents", { onSuccess: done });
  const change = api.useMutation("patch", "/api/agents/{slug}", { onSuccess: done });
  return {
    pending: create.isPending || change.isPending,
    error: create.error ?? change.error,
    start: (before: Form, form: Form) =>
      agent
        ? change.mutate({ params: { path: { slug: agent.slug } }, body: changesOf(before, form) })
        : create.mutate({ body: { ...definitionOf(form), slug: form.slug } }),
  };
}
