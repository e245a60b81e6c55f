import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { choicesFor } from "./RememberChoices";

const ask = (fields: Partial<Ask>): Ask => fields as Ask;

it("only a proposal is offered where a rule wants a person; for an agent only to admins", () => {
  const values = (fields: Partial<Ask>, admin: boolean) =>
    choicesFor(ask({ tool: "t", agent: "a", run_id: "r", rule: null, ...fields }), admin).map(({ value }) => value);
  expect(values({}, true)).toEqual(["run", "agent", "rule"]);
  expect(values({}, false)).toEqual(["run", "rule"]);
  expect(values({ rule: "two people" }, true)).toEqual(["rule"]);
});
