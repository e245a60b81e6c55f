import { Autocomplete, Button, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { components } from "@/api/schema";
import { verdictWords } from "@/ui/domain/verdict";
import { parse } from "@/ui/editor/editedText";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import classes from "../rules.module.css";
import { conditionWords } from "./trialWords";

/** Ask the rules about one call, without making it. */
export function TryCall({ changed }: { changed: boolean }) {
  const tools = api.useQuery("get", "/api/tools", {}).data?.items ?? [];
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const [call, setCall] = useState({ tool: "", arguments: "{}", agent: "", confidence: "" });
  const judge = api.useMutation("post", "/api/rules/evaluate");
  const read = parse(call.arguments || "{}");
  const set = (change: Partial<typeof call>) => {
    setCall({ ...call, ...change });
    judge.reset();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!read.ok) return;
    judge.mutate({
      body: {
        tool: call.tool.trim(),
        arguments: read.value,
        agent: call.agent || null,
        confidence: call.confidence === "" ? null : Number(call.confidence),
      },
    });
  };
  return (
    <section className={`card ${page.panel}`} aria-label="Try a call">
      <h2>Try a call</h2>
      <p className="small dim">Judged by the rules in force{changed && ", not by your draft"}. Nothing happens.</p>
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
        <Button type="submit" variant="default" loading={judge.isPending} disabled={!call.tool.trim() || !read.ok}>
          What would happen?
        </Button>
      </form>
      {judge.isError && (
        <p className={classes.bad} role="alert">
          {wordsOf(judge.error)}
        </p>
      )}
      {judge.data && <Verdict verdict={judge.data} />}
    </section>
  );
}

function Verdict({ verdict }: { verdict: components["schemas"]["EvaluateOut"] }) {
  const { label, tone } = verdictWords(verdict.verdict);
  const how = verdict.conditions ? conditionWords(verdict.conditions) : [];
  return (
    <div className={classes.verdict} role="status" aria-label="Verdict">
      <div className="row wrap">
        <Tag tone={tone}>{label}</Tag>
        <span className="small dim">{verdict.risk.level} risk</span>
        {verdict.rule && (
          <span className="small">
            Rule <code>{verdict.rule}</code>
          </span>
        )}
      </div>
      <ul>
        {[...verdict.reasons, ...how].map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
    </div>
  );
}
