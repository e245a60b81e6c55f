import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { timeoutWords, urgency } from "./deadlineWords";

const ask = (fields: Partial<Ask>): Ask => fields as Ask;

it("a countdown is quiet until it matters, and says what happens then", () => {
  expect([301, 299, 59].map(urgency)).toEqual(["calm", "soon", "now"]);
  expect(timeoutWords(ask({ on_timeout: "default", default: 3, options: null }))).toBe("then it uses 3");
});
