import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { approvableAtAGlance, piled, queued, wayFor, withoutSettled } from "./announcement";

const ask = { run_id: "r1", blocking: true, status: "pending" as const };
const here = { path: "/runs", hidden: false, busy: false };

it("a new ask comes as fits what the person is doing", () => {
  expect(wayFor(ask, here)).toBe("toast");
  expect(wayFor(ask, { ...here, path: "/runs/r1" })).toBe("modal");
  expect(wayFor(ask, { ...here, path: "/runs/r1", busy: true })).toBe("nothing");
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

it("the toasts of two asks stay, and a third takes the place of the oldest", () => {
  const [one, two, three] = ["1", "2", "3"].map((id) => ({ id }) as Ask) as [Ask, Ask, Ask];
  expect(piled([one], two)).toEqual({ kept: [one, two], gone: [] });
  expect(piled([one, two], three)).toEqual({ kept: [two, three], gone: [one] });
});
