import { Autocomplete } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import type { Agent } from "@/api/types";
import { useProviders } from "@/ui/models/ModelWarning";
import { missingKey, providerOf } from "@/ui/models/modelKeys";
import type { PartProps } from "./AgentForm";
import { modelsFor } from "./modelNames";

/** What it thinks with: a model of a provider, whose own list is offered once its name is there. */
export function ModelField({ form, set, problems, agents }: PartProps & { agents: Agent[] }) {
  const admin = useMay("admin");
  const { data } = useProviders();
  const providers = data?.items ?? [];
  const provider = providerOf(form.model, providers);
  const offered = api.useQuery(
    "get",
    "/api/models/{provider}",
    { params: { path: { provider: provider?.name ?? "" } } },
    { enabled: admin && provider !== undefined && provider.state !== "missing" },
  );
  const missing = data?.works_here ? missingKey({ model: form.model }, providers) : null;
  return (
    <Autocomplete
      label="Model"
      description={
        missing ? (
          <>
            {missing.variable} isn’t set on this server.{" "}
            <Link to="/settings" search={{ section: "models" }} target="_blank" style={{ textDecoration: "underline" }}>
              Connect a model
            </Link>
          </>
        ) : (
          "provider:model. Type a provider, and its models are suggested."
        )
      }
      inputWrapperOrder={["label", "input", "description", "error"]}
      placeholder="anthropic:claude-sonnet-5"
      value={form.model}
      onChange={(model) => set({ model })}
      data={modelsFor(agents, providers, offered.data?.models)}
      limit={60}
      maxDropdownHeight={260}
      error={problems.model}
    />
  );
}
