import { expect, it } from "vitest";
import { acceptance, type Suggestions } from "./ruleSuggestions";

it("a suggestion is accepted on the rules that it was made from", () => {
  const suggestions = { base: { version: 3, yaml: "old" }, items: [{ yaml: "old and new", name: "Mail" }] };
  const [item] = suggestions.items;
  expect(acceptance(suggestions as unknown as Suggestions, item as Suggestions["items"][number])).toEqual({
    yaml: "old and new",
    version: 3,
    note: "Suggestion: Mail",
  });
});
