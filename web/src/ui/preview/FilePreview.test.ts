import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FilePreview } from "./FilePreview";

it("a JSON file shows its figures as they are", () => {
  const html = renderToStaticMarkup(createElement(FilePreview, { shape: "json", text: "[12345678901234567890]" }));
  expect(html).toContain("12345678901234567890");
  expect(html).not.toContain("&quot;");
});
