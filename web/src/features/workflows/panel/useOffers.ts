import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { api } from "@/api/client";
import type { Values } from "@/api/types";
import { readWorkflows, type WorkflowStep, workflowsKey } from "@/api/workflows/workflows";
import type { StepKind } from "../graph/stepStates";

interface Offer {
  value: string;
  label: string;
}

export type Offers = Record<StepKind, Offer[]> & {
  /** What each agent gives back. */
  schemas: Record<string, Values | null | undefined>;
  /** What a step must be given, where its tool or workflow says so. */
  wantedBy: (step: Pick<WorkflowStep, StepKind>) => Values | null | undefined;
};

/** All that a step of the workflow could run. */
export function useOffers(slug: string): Offers {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items;
  const tools = api.useQuery("get", "/api/tools", {}).data?.items;
  const workflows = useQuery({ queryKey: workflowsKey, queryFn: readWorkflows }).data?.items;
  return useMemo(
    () => ({
      agent: (agents ?? []).map((agent) => ({ value: agent.slug, label: agent.name })),
      workflow: (workflows ?? [])
        .filter((each) => each.slug !== slug)
        .map((each) => ({ value: each.slug, label: each.name })),
      tool: (tools ?? []).filter((each) => each.can_be_step).map(({ name }) => ({ value: name, label: name })),
      schemas: Object.fromEntries(
        (agents ?? []).map((agent) => [agent.slug, (agent as { output_schema?: Values | null }).output_schema]),
      ),
      wantedBy: ({ tool, workflow }) =>
        tool !== undefined
          ? (tools?.find(({ name }) => name === tool)?.schema as Values | undefined)
          : workflows?.find((each) => each.slug === workflow)?.definition.input_schema,
    }),
    [agents, tools, workflows, slug],
  );
}
