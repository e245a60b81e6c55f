import { expect, it } from "vitest";
import type { Delivery } from "@/api/types";
import { kindWords, lookAgainMs, statusWords } from "./deliveryWords";

const NOW = new Date(2026, 10, 18, 14, 0).getTime();
const at = (minutes: number): string => new Date(NOW + minutes * 60_000).toISOString();
const delivery = (fields: Partial<Delivery>): Delivery =>
  ({ status: "queued", due_at: null, sent_at: null, tries: 0, attempts: [], ...fields }) as Delivery;
const words = (fields: Partial<Delivery>): string => statusWords(delivery(fields), NOW).words;

it("what waits says when it goes out", () => {
  expect(words({ due_at: at(5) })).toBe("Sends at 14:05");
  expect(words({ due_at: at(-1) })).toBe("Sends now");
  expect(words({ due_at: at(5), tries: 2 })).toBe("Tries again at 14:05");
  expect(words({ due_at: at(60 * 18) })).toBe("Sends at Thu 08:00");
  expect(words({})).toBe("Held back");
});

it("what is over says when it was", () => {
  expect(words({ status: "sent", sent_at: at(-2) })).toBe("Sent 2m ago");
  const attempts = [{ ended_at: at(-3) }] as Delivery["attempts"];
  expect(words({ status: "failed", attempts })).toBe("Failed 3m ago");
  // Who is no admin sees no attempts.
  expect(words({ status: "failed" })).toBe("Failed");
});

it("the list is read again only while something waits, and often only if it goes out soon", () => {
  expect(lookAgainMs([delivery({ status: "sent" }), delivery({ status: "failed" })], NOW)).toBe(false);
  const late = delivery({ due_at: at(90) });
  const soon = lookAgainMs([late, delivery({ due_at: at(0.5) })], NOW);
  expect(soon).toBeLessThan(Number(lookAgainMs([late], NOW)));
  expect(lookAgainMs([delivery({ status: "sending" })], NOW)).toBe(soon);
});

it("a kind is told in words, an event by its name", () => {
  expect(["ask", "sign_in_link", "reminder", "ask.created"].map(kindWords)).toEqual([
    "Ask",
    "Sign-in link",
    "Reminder",
    "ask.created",
  ]);
});
