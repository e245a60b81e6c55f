import { expect, test } from "vitest";
import type { Agent } from "@/api/types";
import { BLANK, changesOf, definitionOf, formOf, problemsOf, slugFrom } from "./definition";

const AGENT = {
  slug: "a",
  name: "A",
  model: "demo:a",
  tools: ["read_file"],
  example_tasks: ["One", "Two"],
  limits: { max_duration_hours: 2, max_cost_credits: 5, max_iterations: 10, waiting_counts: true },
  risk_overrides: { send_email: "safe" },
} as unknown as Agent;

test("an agent survives the form", () => {
  const { name, example_tasks, limits, risk_overrides } = definitionOf(formOf(AGENT));
  expect({ name, example_tasks, limits, risk_overrides }).toEqual({
    name: "A",
    example_tasks: ["One", "Two"],
    limits: AGENT.limits,
    risk_overrides: { send_email: "safe" },
  });
});

test("only what was touched is sent", () => {
  const form = formOf(AGENT);
  expect(changesOf(form, form)).toEqual({});
  expect(changesOf(form, { ...form, examples: "One\n\n  Three ", hours: "3" })).toEqual({
    example_tasks: ["One", "Three"],
    limits: { ...AGENT.limits, max_duration_hours: 3 },
  });
});

test("a slug comes from the name", () => {
  expect(slugFrom("Compétitive  analysis (v2)")).toBe("competitive-analysis-v2");
});

test("what is missing is said beside its field", () => {
  expect(Object.keys(problemsOf(BLANK, true))).toEqual(["name", "slug", "model"]);
  expect(problemsOf({ ...BLANK, name: "A", slug: "a", model: "openai:gpt-5" }, true)).toEqual({});
});
