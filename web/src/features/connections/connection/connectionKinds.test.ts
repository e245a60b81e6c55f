import { expect, it } from "vitest";
import { slugOf } from "./connectionKinds";

it("a name becomes the beginning of tools' names", () => {
  expect(slugOf("Kundendaten (Zürich)")).toBe("kundendaten-zurich");
  expect(slugOf("  --  ")).toBe("");
  expect(slugOf(`${"a".repeat(29)} b`)).toBe("a".repeat(29));
});
