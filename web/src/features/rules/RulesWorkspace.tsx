import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { useChannelNames, usePeopleNames } from "@/ui/domain/names";
import { Loading } from "@/ui/States";
import { NoRules } from "./editor/NoRules";
import { RuleProblemList } from "./editor/RuleProblemList";
import type { RulesEditorHandle } from "./editor/RulesEditor";
import { offersAt, type Schema, type Words } from "./editor/ruleCompletion";
import type { Rules, RulesDraft } from "./editor/rulesDraft";
import { SaveBar } from "./editor/SaveBar";
import { useRuleProblems } from "./editor/useRuleProblems";
import classes from "./rules.module.css";
import { Simulation } from "./trial/Simulation";
import { TryCall } from "./trial/TryCall";

const RulesInWords = lazy(() => import("./menus/RulesInWords"));
const SwitchOff = lazy(() => import("./SwitchOff"));
const RulesEditor = lazy(() => import("./editor/RulesEditor"));

interface RulesWorkspaceProps {
  rules: Rules;
  draft: RulesDraft;
  /** The name of a rule to show first. */
  rule?: string;
}

/** The text on one side; trying it out on the other. */
export function RulesWorkspace({ rules, draft, rule }: RulesWorkspaceProps) {
  const admin = useMay("admin");
  const readOnly = Boolean(rules.file) || !admin;
  const checked = useRuleProblems(draft.text);
  const words = useWords();
  const schema = api.useQuery("get", "/api/rules/schema", {}, { staleTime: Number.POSITIVE_INFINITY }).data;
  const complete = useMemo(
    () => (text: string, at: number) => (schema ? offersAt(schema as Schema, words, text, at) : null),
    [schema, words],
  );
  const editor = useRef<RulesEditorHandle>(null);
  const latest = useRef(draft.text);
  latest.current = draft.text;
  const [target, setTarget] = useState<ReturnType<typeof placeOfRule>>(null);
  return (
    <div className={classes.columns}>
      <section className={classes.main} aria-label="Rules">
        {draft.text.trim() === "" && !readOnly && <NoRules onTake={draft.change} />}
        <Suspense fallback={<Loading lines={1} height={420} />}>
          <RulesInWords
            draft={draft.text}
            inForce={rules.yaml}
            readOnly={readOnly}
            words={words}
            schema={schema as Schema | undefined}
            onChange={draft.change}
            latest={() => latest.current}
            onUndo={() => editor.current?.undo()}
            onGo={setTarget}
            linked={rule}
            offer={(found) => (
              <Suspense>
                <SwitchOff rules={rules} draft={draft} rule={found} />
              </Suspense>
            )}
          />
          <RulesEditor
            ref={editor}
            text={draft.text}
            readOnly={readOnly}
            problems={checked.problems}
            warnings={checked.warnings}
            target={target}
            complete={complete}
            onChange={draft.change}
          />
        </Suspense>
        <RuleProblemList {...checked} empty={draft.text.trim() === ""} onGo={setTarget} />
        {!rules.file &&
          (admin ? (
            <SaveBar rules={rules} draft={draft} blocked={checked.checking || checked.problems.length > 0} />
          ) : (
            <p className="small dim">{needsWords("admin", "change the rules")}</p>
          ))}
      </section>
      <aside className={classes.side} aria-label="Try the rules">
        <Simulation yaml={draft.text} blocked={checked.problems.length > 0} changed={draft.changed} />
        <TryCall
          draft={draft.changed && admin ? draft.text : null}
          blocked={checked.problems.length > 0}
          onGoToRule={(name) => setTarget(placeOfRule(draft.text, name))}
        />
      </aside>
    </div>
  );
}

/** Names from the workspace that rules speak of. */
function useWords(): Words {
  const tools = api.useQuery("get", "/api/tools", {}).data?.items;
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items;
  const people = usePeopleNames();
  const channels = useChannelNames();
  return useMemo(
    () => ({
      tool: (tools ?? []).map(({ name }) => name),
      operation_type: [...new Set((tools ?? []).map(({ operation_type }) => operation_type))],
      agent: (agents ?? []).map(({ slug }) => slug),
      approvers: people,
      escalate_to: people,
      recipients: people,
      channels,
      notification_channels: channels,
      action: ["ask", "deny", "auto_approve"],
      on_timeout: ["default", "deny", "cancel", "fail", "escalate"],
    }),
    [tools, agents, people, channels],
  );
}

function placeOfRule(text: string, rule: string | undefined): { line: number; column: number } | null {
  const line = rule ? text.split("\n").findIndex((each) => each.includes("name:") && each.includes(rule)) : -1;
  return line < 0 ? null : { line: line + 1, column: 1 };
}
