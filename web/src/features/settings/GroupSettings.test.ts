import { expect, it } from "vitest";
import { noGroupsWords } from "./GroupSettings";

it("only an admin is told to create a group", () => {
  expect(noGroupsWords(true)).toMatch(/^Create a group/);
  expect(noGroupsWords(false)).toMatch(/^An admin can create a group/);
});
