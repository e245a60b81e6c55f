import { expect, it } from "vitest";
import { awayWords } from "./awayWords";

const delegation = {
  id: "d",
  absent: { email: "ann@example.org", name: "Ann" },
  deputy: { email: "bob@example.org", name: "Bob" },
  starts_at: "2026-11-17T10:00:00Z",
  ends_at: "2026-12-03T12:00:00Z",
  active: true,
};

it("both are told who is away and what is handed over, and nobody else is", () => {
  expect(awayWords(delegation, "bob@example.org")).toBe(
    "Ann is away until 3 Dec. Asks that name them come to you, too.",
  );
  expect(awayWords(delegation, "ann@example.org")).toBe("You are away until 3 Dec. Asks that name you go to Bob, too.");
  expect(awayWords(delegation, "admin@example.org")).toBeNull();
  expect(awayWords({ ...delegation, active: false }, "bob@example.org")).toBeNull();
});
