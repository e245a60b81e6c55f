// @vitest-environment jsdom
import { MantineProvider } from "@mantine/core";
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it } from "vitest";
import type { Offers } from "../panel/useOffers";
import { StepLibrary } from "./StepLibrary";

const offer = (value: string) => ({ value, label: value });

it("the library is one stop for the Tab key, and arrow keys go through its buttons", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  window.matchMedia = () => ({ matches: false, addEventListener() {}, removeEventListener() {} }) as never;
  const place = document.body.appendChild(document.createElement("div"));
  const root = createRoot(place);
  const offers = {
    agent: ["reader", "writer"].map(offer),
    workflow: [],
    tool: ["send_message", "http_request"].map(offer),
  } as unknown as Offers;
  const added: object[] = [];
  const library = createElement(StepLibrary, { offers, readOnly: false, onAdd: (step) => added.push(step) });
  await act(() => root.render(createElement(MantineProvider, { env: "test" }, library)));
  const stops = () =>
    [...place.querySelectorAll("button")].filter(({ tabIndex }) => tabIndex === 0).map((button) => button.ariaLabel);
  const press = (key: string) =>
    act(() => document.activeElement?.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })));
  expect(stops()).toEqual(["Add reader"]);
  await act(() => place.querySelector("button")?.focus());
  await press("ArrowDown");
  await press("ArrowDown");
  expect(document.activeElement?.ariaLabel).toBe("Add send_message");
  expect(stops()).toEqual(["Add send_message"]);
  await act(() => (document.activeElement as HTMLElement).click());
  expect(added).toEqual([{ tool: "send_message" }]);
  await press("End");
  expect(stops()).toEqual(["Add http_request"]);
  await act(() => root.unmount());
  place.remove();
});
