import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { ModelWarning } from "@/ui/models/ModelWarning";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { Tabs } from "@/ui/Tabs";
import { AgentMenu } from "./AgentMenu";
import type { AgentTab } from "./agentTabs";
import { AgentForm } from "./form/AgentForm";

const AgentMemory = lazy(() => import("./memory/AgentMemory"));
const AgentRevisions = lazy(() => import("./AgentRevisions"));

const PARTS: { part?: AgentTab; label: string }[] = [
  { part: undefined, label: "Settings" },
  { part: "memory", label: "Memory" },
  { part: "revisions", label: "Revisions" },
];

/** One agent: who it is, what it may, and how it came to be so. */
export function AgentPage({ slug, tab }: { slug: string; tab?: AgentTab }) {
  const admin = useMay("admin");
  const member = useMay("member");
  const query = api.useQuery("get", "/api/agents/{slug}", { params: { path: { slug } } });
  if (query.isPending) return <Loading lines={5} height={64} />;
  if (!query.data) return <Failed what="Couldn't load this agent" error={query.error} retry={() => query.refetch()} />;
  const agent = query.data;
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>{agent.name}</h1>
        <span className={`small dim ${page.wide}`} title={`In rules and links: ${agent.slug}`}>
          Revision {agent.revision}
        </span>
        <Button
          variant="default"
          renderRoot={(props) => <Link {...props} to="/deliverables" search={{ agent: agent.slug }} />}
          leftSection={<Icon name="package" size={14} />}
        >
          Deliverables
        </Button>
        {member && (
          <Button
            renderRoot={(props) => <Link {...props} to="/runs" search={{ start: agent.slug }} />}
            leftSection={<Icon name="play" size={14} />}
          >
            Start a run
          </Button>
        )}
        {admin && <AgentMenu agent={agent} />}
      </header>
      <ModelWarning agent={agent} />
      {!admin && !tab && <p className={page.lead}>{needsWords("admin", "change agents")}</p>}
      <Tabs label="Parts of the agent" shown={tab ?? ""}>
        {PARTS.map(({ part, label }) => (
          <Link
            key={label}
            to="/agents/$slug"
            params={{ slug }}
            search={{ tab: part }}
            activeOptions={{ includeSearch: true, explicitUndefined: true }}
          >
            {label}
          </Link>
        ))}
      </Tabs>
      <Suspense fallback={<Loading lines={4} />}>
        {tab === "revisions" && <AgentRevisions slug={slug} current={agent.revision} />}
        {tab === "memory" && <AgentMemory slug={slug} />}
        {tab === undefined && <AgentForm key={agent.revision} agent={agent} readOnly={!admin} />}
      </Suspense>
    </div>
  );
}

export function NewAgentPage() {
  const admin = useMay("admin");
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>New agent</h1>
      </header>
      {admin ? <AgentForm /> : <p>{needsWords("admin", "create agents")}</p>}
    </div>
  );
}
