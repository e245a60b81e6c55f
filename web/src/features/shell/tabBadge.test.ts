import { expect, it } from "vitest";
import { iconWith, titleFor } from "./tabBadge";

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
