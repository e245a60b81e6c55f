import { expect, it } from "vitest";
import { wayFor } from "./arrivals";
import { iconWith } from "./badge";
import { type Command, matching } from "./commands";

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

it("the icon carries the count", () => {
  expect(iconWith(0)).toBe("/favicon.svg");
  expect(decodeURIComponent(iconWith(3))).toContain(">3</text>");
  expect(decodeURIComponent(iconWith(12))).toContain(">9+</text>");
});

it("commands are found by all words, the best first", () => {
  const command = (label: string, hint?: string) => ({ id: label, label, hint, icon: "bot", act: () => {} }) as Command;
  const all = [command("Start a run"), command("Runs", "Page"), command("Rules", "Page")];
  expect(matching(all, "run").map(({ label }) => label)).toEqual(["Runs", "Start a run"]);
  expect(matching(all, "page rul").map(({ label }) => label)).toEqual(["Rules"]);
  expect(matching(all, "")).toHaveLength(3);
});
