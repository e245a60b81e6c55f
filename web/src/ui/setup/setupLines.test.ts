import { expect, it } from "vitest";
import { commandOf, commandText, pairsOf, pairsText } from "./setupLines";

it("a command line is a program with its arguments, and comes back as it was", () => {
  const written = { command: "npx", args: ["-y", "@scope/server", "/my files", 'say "hi"', ""] };
  expect(commandOf(commandText(written.command, written.args))).toEqual(written);
  expect(commandOf("node 'a b' c")).toEqual({ command: "node", args: ["a b", "c"] });
});

it("names with values stand in a line each, and a value may have anything in it", () => {
  expect(pairsOf("A=1\nToken: x=y=z\n\nno value here\nB=")).toEqual({ A: "1", Token: "x=y=z", B: "" });
  expect(pairsOf(pairsText({ A: "1", B: "x:y" }))).toEqual({ A: "1", B: "x:y" });
});
