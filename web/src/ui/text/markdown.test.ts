import { MantineProvider } from "@mantine/core";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { Value } from "../values/Values";
import { parseBlocks, parseSpans } from "./markdown";
import { Prose } from "./Prose";

const rendered = (element: ReactElement) => renderToStaticMarkup(createElement(MantineProvider, null, element));
const html = (text: string) => rendered(createElement(Prose, { text }));

describe("markdown", () => {
  it("knows blocks", () => {
    const text =
      "# A\n\npara\n\n- one\n- two\n  - inner\n\n1. x\n\n> quote\n\n```js\ncode\n```\n\n---\n\n|a|b|\n|-|-|\n|1|2|";
    expect(parseBlocks(text).map(({ type }) => type)).toEqual([
      "heading",
      "paragraph",
      "list",
      "list",
      "quote",
      "code",
      "rule",
      "table",
    ]);
  });
  it("nests lists", () => {
    expect(html("- one\n  - inner\n- two")).toContain("<ul><li>one<ul><li>inner</li></ul></li><li>two</li></ul>");
  });
  it("knows spans", () => {
    expect(html("**bold** *em* `code` [x](https://example.com)")).toContain(
      "<strong>bold</strong> <em>em</em> <code>code</code> <a href=",
    );
  });
  it("never turns text into markup", () => {
    const text = '<img src=x onerror="alert(1)"> <script>alert(1)</script>';
    expect(html(text)).not.toMatch(/<(img|script)/);
  });
  it("links only to the web", () => {
    expect(parseSpans("[x](javascript:alert(1))")[0]).toEqual({ type: "text", text: "[x](javascript:alert(1)" });
    expect(html("[x](data:text/html,hi)")).not.toContain("<a");
  });
  it("keeps underscores and stars in words", () => {
    expect(html("write_file 2 * 3 * 4")).toContain("write_file 2 * 3 * 4");
  });
  it("copes with text that is still being written", () => {
    for (const text of ["```js\nnot clo", "**not clo", "| a | b |\n|--", "[x](http", "- ", "#"])
      expect(html(text)).toBeTruthy();
  });
  it("shows all that stands on the lines of a fence", () => {
    const page = html("```wire 5000 to X\nsafe\n``` and 900 to Y\n```\nafter");
    for (const words of ["wire 5000 to X", "and 900 to Y", "<p>after</p>"]) expect(page).toContain(words);
  });
  it("shows where a link leads, unless its text says so", () => {
    expect(html("[https://bank.com](https://evil.com)")).toContain("(https://evil.com)");
    expect(html("[https://bank.com](https://bank.com)")).not.toContain("(https://bank.com)");
  });
  it("leaves a sharp at the end of a heading", () => {
    expect(html("# C#")).toContain("C#");
    expect(html("# Title ##")).toContain("<h3>Title</h3>");
  });
  it.each([
    ">",
    "*",
    "`",
    "[",
    "[[[[x]",
    "- ",
    "**a ",
    "*a ",
    "[a](b",
    "#",
    "# #",
    "# a   ",
    "\n",
    "|-|   ",
    "```\n",
    "`x``x",
  ])("comes to an end with nothing but %j", (part) => {
    // What takes steps by the square of the length runs into the test's own time limit.
    const texts = [part.repeat(Math.ceil(40_000 / part.length)), `# ${part.repeat(20_000)}x`];
    for (const text of [...texts, `a|b\n|-|${part.repeat(20_000)}x`]) {
      expect(html(text)).toBeTypeOf("string");
    }
  });
});

describe("a value", () => {
  const value = (of: unknown) => rendered(createElement(Value, { value: of }));
  it("is not drawn without bound", () => {
    const rows = Array.from({ length: 5000 }, (_, row) => ({ row }));
    expect(value(rows).match(/<tr>/g)?.length).toBeLessThan(100);
    expect(value(rows)).toContain("The first 50 of 5,000 rows");
    expect(value(rows.map(({ row }) => row)).match(/<li>/g)?.length).toBeLessThan(100);
    expect(value({ deep: { er: { still: "x".repeat(500_000) } } }).length).toBeLessThan(20_000);
    expect(value("word ".repeat(100_000)).length).toBeLessThan(20_000);
    expect(value(`**a** ${"word ".repeat(100_000)}`).length).toBeLessThan(40_000);
  });
  it("that is formatted can be shown as written", () => {
    expect(value("# Title\n\ntext")).toContain("Show as written");
    expect(value("two\nlines")).not.toContain("Show as written");
  });
});
