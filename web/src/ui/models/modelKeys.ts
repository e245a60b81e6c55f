import type { Agent, Provider } from "@/api/types";

const prefixOf = (model: string): string => model.split(":", 1)[0] ?? "";

/** Whose model `provider:model` is; nobody's that is known here: undefined. */
export const providerOf = (model: string, providers: Provider[]): Provider | undefined =>
  providers.find(({ prefixes }) => prefixes.includes(prefixOf(model)));

export const isDemo = (model: string): boolean => prefixOf(model) === "demo";

const lacks = (model: string, providers: Provider[]): string | undefined => {
  const provider = providerOf(model, providers);
  return provider?.state === "missing" ? provider.keys[0] : undefined;
};

/** What an agent's model lacks before anybody starts it: the variable, and which fallback will do the work instead. */
export function missingKey(
  { model, fallback_models = [] }: Pick<Agent, "model" | "fallback_models">,
  providers: Provider[],
): { variable: string; fallback?: string } | null {
  const variable = lacks(model, providers);
  if (!variable) return null;
  return { variable, fallback: fallback_models.find((each) => !lacks(each, providers)) };
}

/** Whether there is nothing yet that thinks. What was not loaded is not known to be missing. */
export const hasOnlyDemo = (providers: Provider[]): boolean =>
  providers.length > 0 && providers.every(({ name, state }) => name === "demo" || state !== "ready");
