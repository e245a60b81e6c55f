// The providers of docs/guide/agents.md. Their models change too often to be listed.
const PROVIDERS = ["anthropic:", "openai:", "openai-chat:", "google:", "ollama:"];

/** What may be written for a model: those of the other agents, then how the known ones begin. */
export function modelsFor(agents: { model: string; fallback_models?: string[] }[]): string[] {
  const used = agents.flatMap(({ model, fallback_models = [] }) => [model, ...fallback_models]);
  return [...new Set([...used.sort(), ...PROVIDERS])];
}

export const isModel = (model: string): boolean => /^[a-z][a-z0-9_-]*:.+$/.test(model.trim());
