import { expect, it } from "vitest";
import type { Schedule } from "@/api/types";
import { bodyOf, bySoonest, draftOf, inZone, isWhole, presetOf, targetOf, untilWords } from "./scheduleWords";

const schedule = (given: Partial<Schedule>) => ({ name: null, agent: "clerk", workflow: null, ...given }) as Schedule;

it("shows a time as clocks in its zone do, also when they change", () => {
  expect(inZone("2026-03-27T08:00:00Z", "Europe/Berlin", "en-GB")).toContain("09:00");
  expect(inZone("2026-03-30T07:00:00Z", "Europe/Berlin", "en-GB")).toContain("09:00");
  expect(inZone("2026-03-27T23:30:00Z", "Asia/Tokyo", "en-GB")).toMatch(/Sat.*28.*08:30/);
});

it("says how long until then, and now once it has come", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");
  expect(untilWords("2026-01-01T02:05:00Z", now)).toBe("in 2h 5m");
  expect(untilWords("2025-12-31T23:59:59Z", now)).toBe("now");
});

it("knows the presets, however they are spaced", () => {
  expect(presetOf(" 0  9 * * 1-5 ")).toBe("0 9 * * 1-5");
  expect(presetOf("5 4 * * *")).toBe("");
});

it("says what it runs as people know it", () => {
  const agentNamed = (slug: string) => (slug === "clerk" ? "The clerk" : slug);
  const workflowNamed = (slug: string) => (slug === "invoices" ? "All invoices" : slug);
  expect(targetOf(schedule({}), agentNamed, workflowNamed)).toBe("The clerk");
  expect(targetOf(schedule({ agent: null, workflow: "invoices" }), agentNamed, workflowNamed)).toBe("All invoices");
});

it("puts the soonest first, and those that are off last", () => {
  const later = schedule({ id: "later", next_at: "2026-01-02T00:00:00Z" });
  const sooner = schedule({ id: "sooner", next_at: "2026-01-01T00:00:00Z" });
  const off = [schedule({ id: "off", next_at: null }), schedule({ id: "off too", next_at: null })];
  expect(bySoonest([...off, later, sooner]).map(({ id }) => id)).toEqual(["sooner", "later", "off", "off too"]);
});

it("sends what was typed, and no name where there is none", () => {
  const draft = draftOf(undefined, "clerk", "Europe/Berlin");
  expect(bodyOf({ ...draft, task: " Count \n" })).toEqual({
    name: null,
    agent: "clerk",
    task: "Count",
    cron: "0 9 * * 1-5",
    timezone: "Europe/Berlin",
  });
});

it("sends a workflow with its input, which is an object", () => {
  const draft = draftOf(schedule({ agent: null, workflow: "invoices", input: { month: "May" } }), "clerk", "UTC");
  expect(bodyOf(draft)).toMatchObject({ workflow: "invoices", input: { month: "May" } });
  expect(bodyOf(draft)).not.toHaveProperty("agent");
  expect([isWhole(draft), isWhole({ ...draft, input: {} }), isWhole({ ...draft, input: null })]).toEqual([
    true,
    true,
    false,
  ]);
});
