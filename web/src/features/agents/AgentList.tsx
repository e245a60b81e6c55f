import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import type { Agent } from "@/api/types";
import { autonomyWords } from "@/ui/domain/autonomy";
import { Icon } from "@/ui/icons";
import { ModelWarningTag } from "@/ui/models/ModelWarning";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { label } from "@/ui/values/valueFormat";
import classes from "./agents.module.css";

export function AgentList() {
  const admin = useMay("admin");
  const list = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  const make = (
    <Button renderRoot={(props) => <Link {...props} to="/agents/new" />} leftSection={<Icon name="plus" />}>
      New agent
    </Button>
  );
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Agents</h1>
        {admin && make}
      </header>
      {list.isPending && <Loading lines={3} height={120} />}
      {list.isError && <Failed what="Couldn't load the agents" error={list.error} retry={() => list.refetch()} />}
      {list.data?.items.length === 0 && (
        <Empty icon="bot" title="No agents yet" action={admin && make}>
          An agent is a prompt, a model and tools. {admin ? "Create one here" : "An admin can create one here"}, or add
          a file to the agents folder. <ConnectLink />
        </Empty>
      )}
      <div className={classes.cards}>
        {list.data?.items.map((agent) => (
          <AgentCard key={agent.slug} agent={agent} />
        ))}
      </div>
    </div>
  );
}

const ConnectLink = () => (
  <Link to="/settings" search={{ section: "models" }} style={{ textDecoration: "underline" }}>
    Connect a model first
  </Link>
);

function AgentCard({ agent }: { agent: Agent }) {
  const autonomy = autonomyWords(agent);
  const member = useMay("member");
  const admin = useMay("admin");
  return (
    <article className={`card ${classes.card}`} aria-label={agent.name}>
      <header className="row">
        <span className={classes.face}>
          <Icon name="bot" size={19} />
        </span>
        <div className="grow">
          <h2 className="cut">
            <Link to="/agents/$slug" params={{ slug: agent.slug }} className={classes.name}>
              {agent.name}
            </Link>
          </h2>
          <p className="cut small dim">{agent.title || agent.slug}</p>
        </div>
      </header>
      {agent.description && <p className={classes.about}>{agent.description}</p>}
      <div className="row wrap" style={{ gap: "0.35rem" }}>
        <Tag plain title={autonomy.description}>
          {autonomy.label}
        </Tag>
        {agent.mode === "plan" && <Tag plain>Plan first</Tag>}
        {agent.category && <Tag plain>{label(agent.category)}</Tag>}
        <ModelWarningTag agent={agent} />
        {agent.status !== "active" && (
          <Tag plain tone="warn">
            {label(agent.status ?? "")}
          </Tag>
        )}
      </div>
      <code className={`tiny dim ${classes.model}`}>{agent.model}</code>
      <footer className={classes.foot}>
        <Button
          renderRoot={(props) => <Link {...props} to="/agents/$slug" params={{ slug: agent.slug }} />}
          variant="subtle"
          color="gray"
        >
          {admin ? "Edit" : "View"}
        </Button>
        {member && (
          <Button
            renderRoot={(props) => <Link {...props} to="/runs" search={{ start: agent.slug }} />}
            variant="default"
            leftSection={<Icon name="play" size={14} />}
          >
            Start
          </Button>
        )}
      </footer>
    </article>
  );
}
