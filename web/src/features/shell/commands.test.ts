import { expect, it } from "vitest";
import { type Command, matching, pauseCommand } from "./commands";

it("commands are found by all words, the best first", () => {
  const command = (label: string, hint?: string) => ({ id: label, label, hint, icon: "bot", act: () => {} }) as Command;
  const all = [command("Start a run"), command("Runs", "Page"), command("Rules", "Page")];
  expect(matching(all, "run").map(({ label }) => label)).toEqual(["Runs", "Start a run"]);
  expect(matching(all, "page rul").map(({ label }) => label)).toEqual(["Rules"]);
  expect(matching(all, "")).toHaveLength(3);
});

it.each(["pause", "stop", "halt all", "emergency"])("the emergency stop is found by %j", (typed) => {
  const stop = pauseCommand({ label: "Pause everything", act: () => {} });
  expect(matching([stop], typed)).toEqual([stop]);
});
