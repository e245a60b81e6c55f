import { expect, it } from "vitest";
import { endsOf, pastWords, toRemember } from "./RememberChoices";

const OFFERED = { hours: [24, 168, 720], default_hours: 168 };
const where = [{ field: "path", operator: "like", value: "drafts/*.md" }];

it("an allowance for the agent is for admins and ends; without them it is for the run", () => {
  const values = (scopes: ("run" | "agent" | "rule")[]) =>
    endsOf({ ...OFFERED, scopes }).map(({ label, suggested }) => (suggested ? `${label}*` : label));
  expect(values(["run", "agent", "rule"])).toEqual(["This run", "1 day", "7 days*", "30 days"]);
  expect(values(["run", "rule"])).toEqual(["This run*"]);
  expect(values(["rule"])).toEqual([]);
});

it("a choice goes out with its conditions and its end, several calls with their end alone", () => {
  expect(toRemember({ name: "alike", where }, "168")).toEqual({ scope: "agent", where, expires_in_hours: 168 });
  expect(toRemember({ name: "alike", where }, "run")).toEqual({ scope: "run", where });
  expect(toRemember({ name: "each", where: [] }, "24")).toEqual({ scope: "agent", expires_in_hours: 24 });
});

it("the past is said in one sentence", () => {
  expect(pastWords({ approved: 1 })).toBe("It would have saved 1 ask so far.");
});
