import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { quickChoices } from "./quickChoices";

const ask = (fields: Partial<Ask>): Ask =>
  ({ kind: "question", response_type: "choice", options: ["Red", "Blue"], context: null, ...fields }) as Ask;
const labels = (fields: Partial<Ask>) => quickChoices(ask(fields)).map(({ label }) => label);

it("a yes or no and a few short choices are answered at a glance", () => {
  expect(labels({})).toEqual(["Red", "Blue"]);
  expect(labels({ response_type: "boolean", options: null })).toEqual(["Yes", "No"]);
  expect(quickChoices(ask({ response_type: "boolean", options: [{ label: "Keep", value: true }] }))).toEqual([
    { label: "Keep", value: true },
    { label: "No", value: false },
  ]);
});

it("whatever has more to read, or two that look alike, is answered where all of it stands", () => {
  expect(labels({ context: "Read this first" })).toEqual([]);
  expect(labels({ kind: "approval" })).toEqual([]);
  expect(labels({ response_type: "text" })).toEqual([]);
  expect(labels({ options: ["1", "2", "3", "4", "5"] })).toEqual([]);
  expect(labels({ options: ["Yes", { label: "Yes", value: "no" }] })).toEqual([]);
  expect(labels({ options: [{ label: "A", value: 1, description: "means that" }] })).toEqual([]);
});
