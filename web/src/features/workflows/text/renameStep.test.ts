import { expect, it } from "vitest";
import { renameStep } from "./renameStep";

const TEXT = `slug: a
steps:
  - id: find   # first
    agent: finder
  - id: write
    agent: writer
    needs: [find]
    when: steps.find.found
    input:
      text: steps.find.text
      other: steps.find-more.text
      said: {const: steps.find.text}
`;

it("renames a step and all that speaks of it", () => {
  const changed = renameStep(TEXT, "find", "search");
  expect(changed).toContain("id: search   # first".replace("   #", " #"));
  expect(changed).toContain("needs: [search]");
  expect(changed).toContain("when: steps.search.found");
  expect(changed).toContain("text: steps.search.text");
  expect(changed).toContain("other: steps.find-more.text");
  expect(changed).toContain("const: steps.find.text");
});
it("does not take the id of another", () => {
  expect(renameStep(TEXT, "find", "write")).toBe(TEXT);
});
