import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { parseBlocks, parseSpans } from "./markdown";
import { Prose } from "./Prose";

const html = (text: string) => renderToStaticMarkup(createElement(Prose, { text }));

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
  it("survives absurd nesting and stays fast", () => {
    const started = performance.now();
    html(">".repeat(5000));
    html("*".repeat(5000));
    html("`".repeat(5000));
    html("[".repeat(5000));
    html("- ".repeat(2000));
    expect(performance.now() - started).toBeLessThan(2000);
  });
});
