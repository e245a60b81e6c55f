import { expect, test } from "vitest";
import { describedNeeds, neededNames, withNeeded } from "./connectionNeeds";

const TICKETS = { slug: "tickets", reason: "to look them up", required: false };

test("a connection that an agent needs goes by its name, however it was said", () => {
  expect(neededNames(["files", TICKETS, { connection: "crm" }, 7, null])).toEqual(["files", "tickets", "crm"]);
});

test("what stays keeps its reason, what is new is only named, and what is taken out is gone", () => {
  expect(withNeeded(["files", TICKETS], ["tickets", "crm"])).toEqual([TICKETS, "crm"]);
});

test("why a connection is needed is known, and whether a run can do without", () => {
  expect(describedNeeds(["files", TICKETS, { connection: "crm", description: "to find customers" }, 7, null])).toEqual([
    { name: "tickets", reason: "to look them up", optional: true },
    { name: "crm", reason: "to find customers", optional: false },
  ]);
});
