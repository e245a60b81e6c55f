import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { Icon } from "@/ui/icons";
import { isDemo } from "@/ui/models/modelKeys";
import page from "@/ui/page.module.css";

/** After a run of the demo: what it was, and the way to a real one. */
export function DemoEnd({ run }: { run: Run }) {
  const agent = api.useQuery(
    "get",
    "/api/agents/{slug}",
    { params: { path: { slug: run.agent ?? "" } } },
    { enabled: Boolean(run.agent), retry: false },
  );
  if (!agent.data || !isDemo(agent.data.model)) return null;
  return (
    <section className={page.banner} aria-label="This was the demo" style={{ marginBottom: 0 }}>
      <Icon name="flask-conical" />
      <span className="grow">
        <strong>This was the demo.</strong> A script wrote it, and its figures are made up. With a real model, agents do
        real work the same way.
      </span>
      <Button renderRoot={(props) => <Link {...props} to="/settings" search={{ section: "models" }} />}>
        Connect a model
      </Button>
    </section>
  );
}
