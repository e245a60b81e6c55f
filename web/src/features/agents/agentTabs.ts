/** The parts of an agent's page, beside its settings. */
export type AgentTab = "memory" | "revisions";

export const isAgentTab = (name: unknown): name is AgentTab => name === "memory" || name === "revisions";
