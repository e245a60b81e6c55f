import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Run } from "@/api/types";
import { Icon } from "@/ui/icons";
import { isDemo } from "@/ui/models/modelKeys";
import page from "@/ui/page.module.css";

/** After a run of the demo: what it was, and the way to a real one. */
export function DemoEnd({ run }: { run: Run }) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items;
  const agent = agents?.find(({ slug }) => slug === run.agent);
  if (!agent || !isDemo(agent.model)) return null;
  return (
    <section className={page.banner} aria-label="This was the demo" style={{ marginBottom: 0 }}>
      <Icon name="flask-conical" />
      <span style={{ flex: "1 1 16rem" }}>
        <strong>This was the demo.</strong> A script wrote it, and its figures are made up. With a real model, agents do
        real work the same way.
      </span>
      <Button renderRoot={(props) => <Link {...props} to="/settings" search={{ section: "models" }} />}>
        Connect a model
      </Button>
    </section>
  );
}
