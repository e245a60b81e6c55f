import { expect, it } from "vitest";
import { type Delivery, lookAgainMs, toldOf, waitingWords, whomWords, whyWords } from "./toldWords";

const NOW = Date.parse("2026-03-02T12:00:00Z");
const at = (seconds: number): string => new Date(NOW + seconds * 1000).toISOString();
const named = (email: string): string => (email === "ana@example.org" ? "Ana" : email);

const delivery = (given: Partial<Delivery>): Delivery =>
  ({
    id: "d",
    kind: "ask",
    channel: "Mail",
    channel_kind: "email",
    member_id: "m",
    target: "ana@example.org",
    why: "",
    status: "queued",
    due_at: at(0),
    sent_at: null,
    tries: 0,
    created_at: at(-60),
    ...given,
  }) as Delivery;

it.each<[string, Partial<Delivery>]>([
  ["Ana by mail", {}],
  ["Ana by push", { channel_kind: "push" }],
  ["Ana in Slack", { channel_kind: "slack" }],
  ["Ana by Pager", { channel_kind: "apprise", channel: "Pager" }],
  ["boss@example.com by mail", { member_id: null, target: "boss@example.com" }],
  ["#approvals in Slack", { channel_kind: "slack", member_id: null, target: "#approvals" }],
  ["Pager", { channel_kind: "apprise", channel: "Pager", member_id: null, target: "Pager" }],
])("who is told, and by what: %s", (words, given) => {
  expect(whomWords(delivery(given), named)).toBe(words);
});

it("why somebody is told is said, and that it is a reminder; of a place its name is enough", () => {
  expect(whyWords(delivery({ kind: "reminder", why: "the app was open" }))).toBe("reminder, the app was open");
  expect(whyWords(delivery({ channel_kind: "slack", member_id: null, why: "posted to Slack" }))).toBe("");
});

it("what nobody gets is not shown, and the rest in the order of its time", () => {
  const all = [
    delivery({ id: "later", due_at: at(600) }),
    delivery({ id: "in reserve", due_at: null }),
    delivery({ id: "not needed", status: "cancelled" }),
    delivery({ id: "of events", channel_kind: "webhook" }),
    delivery({ id: "failed", status: "failed", due_at: null }),
    delivery({ id: "sent", status: "sent", sent_at: at(-5) }),
  ];
  expect(toldOf(all).map(({ id }) => id)).toEqual(["failed", "sent", "later"]);
});

it("how it stands is said with the time, and on another day with the day", () => {
  const time = (seconds: number, more = {}) =>
    new Date(at(seconds)).toLocaleString([], { hour: "2-digit", minute: "2-digit", ...more });
  expect(waitingWords(delivery({}), NOW)).toBe("on its way");
  expect(waitingWords(delivery({ status: "sending", due_at: at(60) }), NOW)).toBe("on its way");
  expect(waitingWords(delivery({ status: "failed" }), NOW)).toBe("failed");
  expect(waitingWords(delivery({ due_at: at(300) }), NOW)).toBe(`queued for ${time(300)}`);
  expect(waitingWords(delivery({ due_at: at(300), tries: 2 }), NOW)).toBe(`tries again at ${time(300)}`);
  const days = 3 * 86_400;
  expect(waitingWords(delivery({ due_at: at(days) }), NOW)).toBe(`queued for ${time(days, { weekday: "short" })}`);
});

it("it is looked at again soon after news, when the next one is due, and never once nothing can come", () => {
  const sent = delivery({ status: "sent", sent_at: at(-5) });
  const old = NOW - 60_000;
  expect(lookAgainMs([], NOW - 1_000, NOW)).toBe(3_000);
  expect(lookAgainMs([sent, delivery({ status: "sending" })], old, NOW)).toBe(3_000);
  expect(lookAgainMs([sent, delivery({ due_at: at(600) })], old, NOW)).toBe(600_000);
  expect(lookAgainMs([delivery({ due_at: at(-120) })], old, NOW)).toBe(30_000);
  expect(lookAgainMs([sent], old, NOW)).toBe(false);
});
