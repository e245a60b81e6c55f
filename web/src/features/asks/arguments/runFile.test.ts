import { expect, it } from "vitest";
import { placeOf } from "./runFile";

it("a path leads to the file that the server would write", () => {
  for (const path of ["a.md", "./a.md", "x/../a.md", ".//a.md"]) expect(placeOf(path)).toBe("a.md");
  expect(placeOf("notes/./b.md")).toBe("notes/b.md");
});
