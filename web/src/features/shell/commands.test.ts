import { expect, it } from "vitest";
import { type Command, matching } from "./commands";

it("commands are found by all words, the best first", () => {
  const command = (label: string, hint?: string) => ({ id: label, label, hint, icon: "bot", act: () => {} }) as Command;
  const all = [command("Start a run"), command("Runs", "Page"), command("Rules", "Page")];
  expect(matching(all, "run").map(({ label }) => label)).toEqual(["Runs", "Start a run"]);
  expect(matching(all, "page rul").map(({ label }) => label)).toEqual(["Rules"]);
  expect(matching(all, "")).toHaveLength(3);
});
