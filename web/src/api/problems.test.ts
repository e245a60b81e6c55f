import { expect, it } from "vitest";
import { isOutdated, isUnreachable, Problem, wordsOf } from "./problems";

it.each([
  new TypeError("Failed to fetch dynamically imported module: https://x/assets/Palette-1.js"),
  new TypeError("error loading dynamically imported module: https://x/assets/Palette-1.js"),
  new TypeError("Importing a module script failed."),
  new Error("Unable to preload CSS for /assets/Palette-1.css"),
])("a part of an older release says that Signoff was updated: %s", (error) => {
  expect([isOutdated(error), isUnreachable(error)]).toEqual([true, false]);
  expect(wordsOf(error)).toMatch(/was updated/);
});

it("no answer at all is a server that cannot be reached", () => {
  const error = new TypeError("Failed to fetch");
  expect([isOutdated(error), isUnreachable(error)]).toEqual([false, true]);
});

it("what the sentence says already is not said again", () => {
  const port = { path: "port", message: "must be at most 65,535" };
  const name = { path: "name", message: "is missing" };
  const error = new Problem(422, "The request is invalid. port: must be at most 65,535", "invalid", [port, name]);
  expect(wordsOf(error)).toBe("The request is invalid. port: must be at most 65,535 name: is missing");
});
