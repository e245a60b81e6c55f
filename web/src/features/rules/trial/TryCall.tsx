import { Autocomplete, Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { components } from "@/api/schema";
import { impactWords } from "@/ui/domain/impact";
import { verdictWords } from "@/ui/domain/verdict";
import { parse } from "@/ui/editor/editedText";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import classes from "../rules.module.css";
import { conditionWords } from "./trialWords";

interface TryCallProps {
  /** What is being written and not saved; the rules in force decide when there is none. */
  draft: string | null;
  /** The draft has mistakes. */
  blocked: boolean;
  onGoToRule: (name: string) => void;
}

/** Ask the rules about one call, without making it. */
export function TryCall({ draft, blocked, onGoToRule }: TryCallProps) {
  const tools = api.useQuery("get", "/api/tools", {}).data?.items ?? [];
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const [call, setCall] = useState({ tool: "", arguments: "{}", agent: "", confidence: "" });
  const judge = api.useMutation("post", "/api/rules/evaluate");
  const read = parse(call.arguments || "{}");
  const unready = draft !== null && blocked;
  const set = (change: Partial<typeof call>) => {
    setCall({ ...call, ...change });
    judge.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!read.ok || unready) return;
    judge.mutate({
      body: {
        tool: call.tool.trim(),
        arguments: read.value,
        agent: call.agent || null,
        confidence: call.confidence === "" ? null : Number(call.confidence),
        yaml: draft,
      },
    });
  };
  return (
    <section className={`card ${page.panel}`} aria-label="Try a call">
      <h2>Try a call</h2>
      <p className="small dim">Checked against {draft === null ? "the current rules" : "your draft"}. Nothing runs.</p>
      <form className="stack" onSubmit={submit}>
        <Autocomplete
          label="Tool"
          required
          withAsterisk={false}
          placeholder="send_message"
          value={call.tool}
          onChange={(tool) => set({ tool })}
          data={tools.map(({ name }) => name)}
          limit={12}
        />
        <Textarea
          label="Arguments, as JSON"
          autosize
          minRows={2}
          maxRows={8}
          spellCheck={false}
          styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
          value={call.arguments}
          error={read.ok ? undefined : read.message}
          onChange={(event) => set({ arguments: event.currentTarget.value })}
        />
        <div className="row" style={{ alignItems: "flex-start" }}>
          <NativeSelect
            className="grow"
            label="Agent"
            value={call.agent}
            onChange={(event) => set({ agent: event.currentTarget.value })}
            data={[{ value: "", label: "Any" }, ...agents.map(({ slug, name }) => ({ value: slug, label: name }))]}
          />
          <TextInput
            label="Confidence"
            type="number"
            min={0}
            max={1}
            step={0.01}
            w="7rem"
            placeholder="0 to 1"
            value={call.confidence}
            onChange={(event) => set({ confidence: event.currentTarget.value })}
          />
        </div>
        <Button
          type="submit"
          variant="default"
          loading={judge.isPending}
          disabled={!call.tool.trim() || !read.ok || unready}
        >
          What would happen?
        </Button>
      </form>
      {unready && <p className="small dim">Fix the errors first.</p>}
      {judge.isError && (
        <p className={classes.bad} role="alert">
          {wordsOf(judge.error)}
        </p>
      )}
      {judge.data && <Verdict verdict={judge.data} onGoToRule={onGoToRule} />}
      {judge.data && judge.variables.body.yaml !== draft && (
        <p className="small dim">The rules have changed. Try again.</p>
      )}
    </section>
  );
}

interface VerdictProps extends Pick<TryCallProps, "onGoToRule"> {
  verdict: components["schemas"]["EvaluateOut"];
}

function Verdict({ verdict, onGoToRule }: VerdictProps) {
  const { label, tone } = verdictWords(verdict.verdict);
  const { rule } = verdict;
  const how = verdict.conditions ? conditionWords(verdict.conditions) : [];
  return (
    <div className={classes.verdict} role="status" aria-label="Verdict">
      <div className="row wrap">
        <Tag tone={tone}>{label}</Tag>
        <span className="small dim">{verdict.risk.level} risk</span>
        {rule && (
          <Button size="compact-sm" variant="subtle" onClick={() => onGoToRule(rule)}>
            Rule “{rule}”
          </Button>
        )}
      </div>
      {verdict.impact && <p className="small">{impactWords(verdict.impact)}</p>}
      <ul>
        {[...verdict.reasons, ...how].map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
