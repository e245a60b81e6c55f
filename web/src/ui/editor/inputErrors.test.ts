import { expect, it } from "vitest";
import { Problem, wordsOf } from "@/api/problems";
import { besidesInput, inputErrors } from "./inputErrors";

const refused = new Problem(422, "The input does not fit.", "invalid", [
  { path: "input", message: "'ticket' is missing" },
  { path: "input.customer.0", message: "must be of type string" },
  { path: "title", message: "is too long" },
]);

it("what is wrong with an input stands at its fields, and the rest in words", () => {
  expect(inputErrors(refused)).toEqual([
    { path: "ticket", message: "is missing" },
    { path: "customer.0", message: "must be of type string" },
  ]);
  expect(wordsOf(besidesInput(refused))).toBe("The input does not fit. title: is too long");
});

it("another error is left as it is", () => {
  const other = new Error("gone");
  expect(inputErrors(other)).toEqual([]);
  expect(besidesInput(other)).toBe(other);
});
