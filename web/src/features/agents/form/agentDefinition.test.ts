import { expect, test } from "vitest";
import type { Agent, Provider } from "@/api/types";
import { BLANK, changesOf, definitionOf, formOf, problemsOf, slugFrom } from "./agentDefinition";
import { modelsFor } from "./modelNames";

const AGENT = {
  slug: "a",
  name: "A",
  model: "demo:a",
  tools: ["read_file"],
  connections_required: ["files", { slug: "tickets", reason: "to look them up" }],
  example_tasks: ["One", "Two"],
  limits: {
    max_duration_hours: 2,
    max_cost_credits: 5,
    max_iterations: 10,
    waiting_counts: true,
    ask_at_limit: true,
  },
  fallback_models: ["demo:b"],
  temperature: 0,
  max_tokens: 100,
  tags: ["x", "y"],
  sort_order: -7,
  output_schema: { type: "object" },
  risk_overrides: { send_email: "safe" },
  notifications: {
    channels: ["Mail"],
    recipients: ["group:finance"],
    slack_channel_id: "C1",
    email_on_completion: false,
    email_on_approval_needed: true,
    from_before: "kept",
  },
} as unknown as Agent;

test("an agent survives the form", () => {
  const { slug: _, ...definition } = AGENT;
  expect(definitionOf(formOf(AGENT))).toMatchObject(definition);
});

test("only what was touched is sent", () => {
  const form = formOf(AGENT);
  expect(changesOf(form, form)).toEqual({});
  expect(changesOf(form, { ...form, examples: "One\n\n  Three ", hours: "3" })).toEqual({
    example_tasks: ["One", "Three"],
    limits: { ...AGENT.limits, max_duration_hours: 3 },
  });
});

test("what is left as people want it is not said, and what the form does not know stays", () => {
  const form = formOf(AGENT);
  const unsaid = {
    channels: [],
    recipients: [],
    slack_channel_id: " ",
    email_on_completion: null,
    email_on_approval_needed: null,
  };
  const changed = changesOf(form, { ...form, notifications: { ...form.notifications, ...unsaid } });
  expect(changed).toEqual({ notifications: { from_before: "kept" } });
  const silent = formOf({ ...AGENT, notifications: { ...unsaid, slack_channel_id: null } });
  expect(definitionOf(silent).notifications).toEqual({});
  expect(
    changesOf(silent, { ...silent, notifications: { ...silent.notifications, email_on_completion: true } }),
  ).toEqual({
    notifications: { email_on_completion: true },
  });
});

test("a slug comes from the name", () => {
  expect(slugFrom("Compétitive  analysis (v2)")).toBe("competitive-analysis-v2");
});

test("what is missing is said beside its field", () => {
  expect(Object.keys(problemsOf(BLANK, true))).toEqual(["name", "slug", "model"]);
  expect(problemsOf({ ...BLANK, name: "A", slug: "a", model: "openai:gpt-5" }, true)).toEqual({});
});

test("what cannot be sent is said under Advanced", () => {
  const form = {
    ...formOf(AGENT),
    fallbacks: "demo:b\nno model",
    temperature: "3",
    max_tokens: "1.5",
    sort_order: "first",
    output: "[",
  };
  expect(Object.keys(problemsOf(form, false))).toEqual([
    "fallbacks",
    "temperature",
    "max_tokens",
    "sort_order",
    "output",
  ]);
});

test("a model is offered by its provider, after those that are in use and before those without a key", () => {
  const provider = (name: string, state: Provider["state"]): Provider => ({
    name,
    label: name,
    state,
    found: [],
    keys: [],
    address: null,
    address_is_enough: false,
    prefixes: [name],
    examples: [`${name}:e`],
  });
  const providers = [provider("anthropic", "missing"), provider("openai", "ready"), provider("demo", "ready")];
  const agents = [{ model: "demo:b", fallback_models: ["anthropic:a"] }];
  expect(modelsFor(agents, providers, ["openai:listed", "demo:b"])).toEqual([
    "anthropic:a",
    "demo:b",
    "openai:listed",
    "openai:e",
    "anthropic:e",
  ]);
});
