import { expect, it } from "vitest";
import { nextAfter } from "./openAsks";

it("the next ask is the one below, else the one above", () => {
  expect(nextAfter(["a", "b", "c"], "b")).toBe("c");
  expect(nextAfter(["a", "b", "c"], "c")).toBe("b");
  expect(nextAfter(["a"], "a")).toBeUndefined();
  expect(nextAfter(["a", "b"], "gone")).toBe("a");
});
