import type { Provider } from "@/api/types";

/** What may be written for a model: those of the other agents, those of the provider, and ones to begin with. */
export function modelsFor(
  agents: { model: string; fallback_models?: string[] }[],
  providers: Provider[],
  offered: string[] = [],
): string[] {
  const used = agents.flatMap(({ model, fallback_models = [] }) => [model, ...fallback_models]);
  // Those that can be used come first.
  const known = [...providers].sort(
    (left, right) => Number(left.state === "missing") - Number(right.state === "missing"),
  );
  const examples = known.filter(({ name }) => name !== "demo").flatMap((provider) => provider.examples);
  return [...new Set([...used.sort(), ...offered, ...examples])];
}

export const isModel = (model: string): boolean => /^[a-z][a-z0-9_-]*:.+$/.test(model.trim());
