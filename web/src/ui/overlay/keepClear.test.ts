// @vitest-environment jsdom
import { expect, it, vi } from "vitest";
import { keepClear } from "./keepClear";

it("what floats at the bottom hears how high the bar below it is, as long as it is there", () => {
  let tell = () => {};
  vi.stubGlobal(
    "ResizeObserver",
    class {
      constructor(heard: () => void) {
        tell = heard;
      }
      observe() {}
      disconnect() {}
    },
  );
  const height = () => document.documentElement.style.getPropertyValue("--decision-bar");
  const bar = document.createElement("div");
  Object.defineProperty(bar, "offsetHeight", { value: 180 });
  const leave = keepClear(bar);
  tell();
  expect(height()).toBe("180px");
  leave?.();
  expect(height()).toBe("");
  vi.unstubAllGlobals();
});
