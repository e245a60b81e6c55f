import { useAgentNames } from "@/api/agentNames";
import { useWorkflowNames } from "@/api/workflows/workflowNames";

interface Doer {
  agent?: string | null;
  workflow?: string | null;
  tool?: string | null;
}

/** What does a step, by its name where it has one. */
export function useDoerNames(): (step: Doer) => string {
  const agentNamed = useAgentNames();
  const workflowNamed = useWorkflowNames();
  return ({ agent, workflow, tool }) =>
    (agent && agentNamed(agent)) || (workflow && workflowNamed(workflow)) || tool || "";
}
