import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { approvableAtAGlance, queued, wayFor, withoutSettled } from "@/features/asks/newAsks/announcement";
import { type Command, matching } from "./commands";
import { iconWith, titleFor } from "./tabBadge";

const ask = { run_id: "r1", blocking: true, status: "pending" as const };
const here = { path: "/runs", hidden: false, typing: false };

it("a new ask comes as fits what the person is doing", () => {
  expect(wayFor(ask, here)).toBe("toast");
  expect(wayFor(ask, { ...here, path: "/runs/r1" })).toBe("modal");
  expect(wayFor(ask, { ...here, path: "/runs/r1", typing: true })).toBe("nothing");
  expect(wayFor(ask, { ...here, path: "/inbox" })).toBe("nothing");
  expect(wayFor(ask, { ...here, hidden: true })).toBe("notification");
  expect(wayFor({ ...ask, blocking: false }, here)).toBe("nothing");
  expect(wayFor({ ...ask, status: "approved" }, here)).toBe("nothing");
});

it("a toast approves only what this person may approve unread", () => {
  const me = { role: "admin", user: { id: "u", email: "me@x.org" } };
  const simple = {
    kind: "approval",
    risk: { level: "low" },
    may_decide: true,
    approvals: [],
    approvers: ["approver"],
    approvals_required: 1,
  } as unknown as Ask;
  expect(approvableAtAGlance(me, simple)).toBe(true);
  expect(approvableAtAGlance(me, { ...simple, four_eyes: true, barred: "You started this run." })).toBe(false);
  expect(approvableAtAGlance(me, { ...simple, may_decide: false })).toBe(false);
  expect(approvableAtAGlance(me, { ...simple, risk: null })).toBe(false);
  expect(approvableAtAGlance(me, { ...simple, kind: "question" })).toBe(false);
});

it("asks of one turn wait for each other, and what is on screen stays", () => {
  const [one, two, three] = ["1", "2", "3"].map((id) => ({ id }) as Ask) as [Ask, Ask, Ask];
  const queue = [one, two, two, three].reduce(queued, [] as Ask[]);
  expect(queue).toEqual([one, two, three]);
  expect(withoutSettled(queue, "2")).toEqual([one, three]);
  expect(withoutSettled(queue, "1")).toEqual(queue);
});

it("the icon carries the count", () => {
  expect(iconWith(0)).toBe("/favicon.svg");
  expect(decodeURIComponent(iconWith(3))).toContain(">3</text>");
  expect(decodeURIComponent(iconWith(12))).toContain(">9+</text>");
});

it("the tab says what waits and which page it shows", () => {
  expect(titleFor("/rules", 3)).toBe("(3) Rules · Signoff");
  expect(titleFor("/asks/a1", 0)).toBe("Inbox · Signoff");
  expect(titleFor("/", 0)).toBe("Dashboard · Signoff");
  expect(titleFor("/runs/r1", 1)).toBe("(1) Runs · Signoff");
  expect(titleFor("/nowhere", 0)).toBe("Signoff");
});

it("commands are found by all words, the best first", () => {
  const command = (label: string, hint?: string) => ({ id: label, label, hint, icon: "bot", act: () => {} }) as Command;
  const all = [command("Start a run"), command("Runs", "Page"), command("Rules", "Page")];
  expect(matching(all, "run").map(({ label }) => label)).toEqual(["Runs", "Start a run"]);
  expect(matching(all, "page rul").map(({ label }) => label)).toEqual(["Rules"]);
  expect(matching(all, "")).toHaveLength(3);
});
