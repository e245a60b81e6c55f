import { expect, test } from "vitest";
import { neededNames, withNeeded } from "./connectionNeeds";

const TICKETS = { slug: "tickets", reason: "to look them up", required: false };

test("a connection that an agent needs goes by its name, however it was said", () => {
  expect(neededNames(["files", TICKETS, { connection: "crm" }, 7, null])).toEqual(["files", "tickets", "crm"]);
});

test("what stays keeps its reason, what is new is only named, and what is taken out is gone", () => {
  expect(withNeeded(["files", TICKETS], ["tickets", "crm"])).toEqual([TICKETS, "crm"]);
});
