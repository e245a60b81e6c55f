import { expect, it } from "vitest";
import type { Provider } from "@/api/types";
import { hasOnlyDemo, isDemo, missingKey, providerOf } from "./modelKeys";

const provider = (name: string, state: Provider["state"], prefixes = [name]): Provider => ({
  name,
  label: name,
  state,
  found: [],
  keys: [`${name.toUpperCase()}_API_KEY`],
  address: null,
  address_is_enough: false,
  prefixes,
  examples: [],
});
const PROVIDERS = [
  provider("anthropic", "missing"),
  provider("openai", "ready", ["openai", "openai-chat"]),
  provider("ollama", "here"),
  provider("demo", "ready"),
];

it("knows whose model it is by its beginning", () => {
  expect(providerOf("openai-chat:x:y", PROVIDERS)?.name).toBe("openai");
  expect(providerOf("openai-other:x", PROVIDERS)).toBeUndefined();
  expect([isDemo("demo:x"), isDemo("demon:x")]).toEqual([true, false]);
});

it("knows whether there is anything but the demo", () => {
  const [anthropic, openai, ollama, demo] = PROVIDERS as [Provider, Provider, Provider, Provider];
  expect(hasOnlyDemo([anthropic, ollama, demo])).toBe(true);
  expect(hasOnlyDemo([anthropic, openai, demo])).toBe(false);
  expect(hasOnlyDemo([])).toBe(false);
});

it.each([
  ["anthropic:x", [], { variable: "ANTHROPIC_API_KEY", fallback: undefined }],
  ["anthropic:x", ["anthropic:y", "openai:z"], { variable: "ANTHROPIC_API_KEY", fallback: "openai:z" }],
  ["openai-chat:x", [], null],
  ["ollama:x", [], null],
  ["demo:x", [], null],
  // Nobody here knows what it needs.
  ["elsewhere:x", [], null],
])("says what %s lacks, with the fallbacks %j", (model, fallback_models, missing) => {
  expect(missingKey({ model, fallback_models }, PROVIDERS)).toEqual(missing);
});
