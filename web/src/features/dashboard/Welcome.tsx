import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import { Icon, type IconName } from "@/ui/icons";
import { ConnectModelHint } from "@/ui/models/ConnectModelHint";
import page from "@/ui/page.module.css";
import classes from "./dashboard.module.css";

const STEPS: { icon: IconName; title: string; text: string }[] = [
  { icon: "play", title: "Give it a task", text: "Choose an agent and say what you want to have at the end." },
  { icon: "inbox", title: "Decide when it asks", text: "It works on its own and stops before anything risky." },
  {
    icon: "file-text",
    title: "Get the result",
    text: "Find reports, tables and files here, and see who approved what.",
  },
];

/** Nothing has run yet: what this is, and the first step. */
export function Welcome() {
  const may = useMay("member");
  const admin = useMay("admin");
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  const featured = [...(agents.data?.items ?? [])]
    .sort((left, right) => Number(right.featured) - Number(left.featured))
    .slice(0, 3);
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Welcome to Signoff</h1>
      </header>
      <p className={page.lead}>Agents work for hours on their own, and stop when a person should decide.</p>
      <ol className={classes.steps}>
        {STEPS.map(({ icon, title, text }) => (
          <li key={title} className={`card ${classes.step}`}>
            <Icon name={icon} size={20} />
            <h2>{title}</h2>
            <p className="dim">{text}</p>
          </li>
        ))}
      </ol>
      {may && featured.length > 0 && (
        <section className={classes.part} aria-label="Agents to start with">
          <h2 className={classes.title}>Start with one of these</h2>
          <div className={`${classes.tiles} ${classes.whole}`}>
            {featured.map((agent) => (
              <article key={agent.slug} className={`card ${classes.tile}`} aria-label={agent.name}>
                <span className={classes.name}>{agent.name}</span>
                <span className="small dim">{agent.description || agent.title}</span>
                <Button
                  mt="auto"
                  variant="default"
                  renderRoot={(props) => <Link {...props} to="/runs" search={{ start: agent.slug }} />}
                  leftSection={<Icon name="play" size={14} />}
                >
                  Start
                </Button>
              </article>
            ))}
          </div>
        </section>
      )}
      {admin && agents.data?.items.length === 0 && (
        <section className={classes.part} aria-label="The first agent">
          <h2 className={classes.title}>Create your first agent</h2>
          <p className={`dim ${classes.whole}`}>An agent is a prompt, a model and tools.</p>
          <div className={classes.whole}>
            <Button renderRoot={(props) => <Link {...props} to="/agents/new" />} leftSection={<Icon name="plus" />}>
              New agent
            </Button>
          </div>
        </section>
      )}
      <ConnectModelHint />
    </div>
  );
}
