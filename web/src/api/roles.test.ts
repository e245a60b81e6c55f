import { expect, it } from "vitest";
import { ROLES } from "./roles";

it("each role is described without another one, which a newcomer does not know", () => {
  const labels = Object.values(ROLES).map(({ label }) => label.toLowerCase());
  for (const { description } of Object.values(ROLES))
    for (const label of labels) expect(description.toLowerCase()).not.toMatch(new RegExp(`\\b${label}\\b`));
});
