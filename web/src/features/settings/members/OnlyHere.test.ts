import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { isOnlyHere, OnlyHere } from "./OnlyHere";

it.each([
  ["http://127.0.0.1:8471/sign-in?token=x", true],
  ["http://localhost:8400/sign-in?token=x", true],
  ["http://[::1]:8400/sign-in?token=x", true],
  ["http://0.0.0.0:8400/sign-in?token=x", true],
  ["https://signoff.example.org/sign-in?token=x", false],
  ["http://192.168.1.4:8400/sign-in?token=x", false],
  ["http://127.0.0.1.example.org/sign-in?token=x", false],
  ["signoff.example.org", false],
])("%s opens only on this computer: %s", (url, only) => {
  expect(isOnlyHere(url)).toBe(only);
});

it("of mails says what to set, and nothing where links open elsewhere", () => {
  const told = (url: string) =>
    renderToStaticMarkup(createElement(OnlyHere, { url, what: "Links in mails open only on this computer." }));
  expect(told("http://127.0.0.1:8400")).toMatch(/Links in mails open only on this computer.*SIGNOFF_PUBLIC_URL/);
  expect(told("https://signoff.example.org")).toBe("");
});
