import { expect, it } from "vitest";
import { emailProblem } from "./AddMember";

it.each([
  ["ada@example.com", null],
  [" ada@localhost ", null],
  ["ada", "An email address has an @, like ada@example.com."],
  ["ada@", "Something is missing after the @."],
  ["@example.com", "Something is missing before the @."],
  ["ada@a.org, bob@b.org", "An email address has no spaces."],
  ["ada@a.org;bob@b.org", "One address only, with one @."],
])("what is wrong with the address %s is said beside it", (email, problem) => {
  expect(emailProblem(email)).toBe(problem);
});
