import { expect, it } from "vitest";
import { optionsOf } from "./askOptions";

it("options may be objects or bare values", () => {
  expect(optionsOf({ options: ["red", { id: "g", label: "Green", value: 2 }, { value: "blue" }] })).toMatchObject([
    { label: "red", value: "red" },
    { id: "g", label: "Green", value: 2 },
    { label: "blue", value: "blue" },
  ]);
  expect(optionsOf({ options: null })).toEqual([]);
});
