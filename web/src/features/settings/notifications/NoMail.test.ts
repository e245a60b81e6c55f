import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { HowToGetMail, NoMail } from "./NoMail";

const told = (email: string, admin: boolean) =>
  renderToStaticMarkup(createElement(NoMail, { email }, createElement(HowToGetMail, { email, admin })));

it("who has no mailbox reads why no mail comes, and what to do", () => {
  expect(told("admin@localhost", true)).toMatch(/You get no mail.*admin@localhost.*invite your real address/);
  expect(told("bob@localhost", false)).toContain("Ask an admin");
});

it("says nothing to others", () => {
  expect(told("ada@example.org", true)).toBe("");
});
