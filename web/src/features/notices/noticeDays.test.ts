import { expect, it } from "vitest";
import type { Notice } from "@/api/types";
import { daysOf } from "./noticeDays";
import { placeWords, senderWords } from "./noticeKinds";

const at = (day: number, hour: number): Notice =>
  ({ id: `${day}-${hour}`, created_at: new Date(2026, 2, day, hour).toISOString() }) as Notice;

it("notices stand under their day", () => {
  const days = daysOf([at(10, 9), at(10, 1), at(9, 23), at(2, 8)], new Date(2026, 2, 10, 12).getTime());
  expect(days.map(({ label, notices }) => [label, notices.length])).toEqual([
    ["Today", 2],
    ["Yesterday", 1],
    [new Date(2026, 2, 2).toLocaleDateString([], { weekday: "long", day: "numeric", month: "long" }), 1],
  ]);
});

it("a message stands under its channel", () => {
  expect(placeWords({ kind: "message", channel: "general" })).toBe("#general");
  expect(placeWords({ kind: "message", channel: "#sales" })).toBe("#sales");
  expect(placeWords({ kind: "failed", channel: "runs" })).toBe("Your run");
});

it("people and agents go by their names", () => {
  const words = (sender: string) =>
    senderWords(
      sender,
      (email) => (email === "ann@example.org" ? "Ann" : email),
      (slug) => `the ${slug}`,
    );
  expect(["ann@example.org", "agent:analyst", "Signoff"].map(words)).toEqual(["Ann", "the analyst", "Signoff"]);
});
