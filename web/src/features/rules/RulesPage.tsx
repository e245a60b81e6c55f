import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect } from "react";
import { api } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import { useMemberNames } from "@/api/memberNames";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { Tabs } from "@/ui/Tabs";
import { Ago } from "@/ui/time/clock";
import { AsksThatWouldPass } from "./AsksThatWouldPass";
import { EmergencyStop, StoppedBanner } from "./EmergencyStop";
import { suggestionsKey, useSuggestions } from "./editor/ruleSuggestions";
import { type Rules, rulesKey, useRulesDraft } from "./editor/rulesDraft";
import { RulesFileBanner } from "./RulesFileBanner";
import { RulesWorkspace } from "./RulesWorkspace";
import { type RulesTab, TABS } from "./rulesTabs";

const RuleVersions = lazy(() => import("./tabs/RuleVersions"));
const Suggestions = lazy(() => import("./tabs/Suggestions"));
const RuleFigures = lazy(() => import("./tabs/RuleFigures"));
const Allowances = lazy(() => import("./tabs/Allowances"));
const Lessons = lazy(() => import("./lessons/Lessons"));

interface RulesPageProps {
  tab?: RulesTab;
  rule?: string;
  /** The other control for a bad day, beside the one that stops auto-approvals. */
  pauseAll: ReactNode;
}

/** Which calls run, which wait, which never happen. */
export function RulesPage({ tab = "rules", rule, pauseAll }: RulesPageProps) {
  const query = api.useQuery("get", "/api/rules", {});
  useRulesHeard();
  if (query.isPending) return <Loading lines={6} height={48} />;
  if (!query.data) return <Failed what="Couldn't load the rules" error={query.error} retry={() => query.refetch()} />;
  return <Loaded rules={query.data} tab={tab} rule={rule} pauseAll={pauseAll} />;
}

/** Others may change the rules, also from a terminal or in their file. */
function useRulesHeard(): void {
  const queries = useQueryClient();
  useEffect(
    () =>
      onEvent(({ type }) => {
        if (type !== "rules.changed") return;
        queries.invalidateQueries({ queryKey: rulesKey });
        queries.invalidateQueries({ queryKey: suggestionsKey });
      }),
    [queries],
  );
}

function Loaded({ rules, tab, rule, pauseAll }: RulesPageProps & { rules: Rules; tab: RulesTab }) {
  const draft = useRulesDraft(rules);
  const waiting = useSuggestions().data?.items.length ?? 0;
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Rules</h1>
        <Saved rules={rules} />
        <EmergencyStop rules={rules} />
        {pauseAll}
      </header>
      <StoppedBanner rules={rules} />
      <RulesFileBanner rules={rules} />
      <AsksThatWouldPass />
      <Tabs label="Parts of the rules" shown={tab}>
        {Object.entries(TABS).map(([name, label]) => (
          <Link
            key={name}
            to="/rules"
            search={{ tab: name === "rules" ? undefined : (name as RulesTab) }}
            activeOptions={{ includeSearch: true, explicitUndefined: true }}
          >
            {label}
            {name === "suggestions" && waiting > 0 && <span className="num">({waiting})</span>}
            {name === "rules" && draft.changed && <Icon name="pencil" size={13} aria-label="with changes" />}
          </Link>
        ))}
      </Tabs>
      <Suspense fallback={<Loading lines={4} height={56} />}>
        {tab === "rules" && <RulesWorkspace key={rule} rules={rules} draft={draft} rule={rule} />}
        {tab === "suggestions" && <Suggestions />}
        {tab === "history" && <RuleVersions rules={rules} draft={draft} />}
        {tab === "figures" && <RuleFigures />}
        {tab === "allowances" && <Allowances />}
        {tab === "lessons" && <Lessons />}
      </Suspense>
    </div>
  );
}

function Saved({ rules }: { rules: Rules }) {
  const named = useMemberNames(rules.updated_by !== null);
  if (rules.version === 0) return <span className="small dim">Nothing saved yet</span>;
  return (
    <span className="small dim">
      Version {rules.version}
      {rules.updated_by && ` by ${named(rules.updated_by)}`}
      {rules.updated_at && (
        <>
          , <Ago at={rules.updated_at} />
        </>
      )}
    </span>
  );
}
