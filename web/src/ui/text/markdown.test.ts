import { MantineProvider } from "@mantine/core";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, describe, expect, it } from "vitest";
import { Value } from "../values/Values";
import { parseMarkdown } from "./markdown";
import { Prose } from "./Prose";
import { loadMarkdown } from "./useMarkdown";

const rendered = (element: ReactElement) =>
  renderToStaticMarkup(createElement(MantineProvider, null, element)).replaceAll(/<style.*?<\/style>/gs, "");
const html = (text: string) => rendered(createElement(Prose, { text }));

it("is shown as written until the parser is there", () => {
  expect(html("**bold**\n\n- one")).toMatch(/<p class="[^"]*written[^"]*">\*\*bold\*\*\n\n- one<\/p>/);
  expect(html("No marks,\nin two lines.\n\nAnd (another) 1.5 & more!")).toContain(
    "<p>No marks,\nin two lines.</p><p>And (another) 1.5 &amp; more!</p>",
  );
});

describe("markdown", () => {
  beforeAll(async () => {
    await loadMarkdown();
  });
  it("knows blocks", () => {
    const text =
      "# A\n\npara\n\n- one\n- two\n  - inner\n\n1. x\n\n> quote\n\n```js\ncode\n```\n\n---\n\n|a|b|\n|-|-|\n|1|2|";
    expect(parseMarkdown(text).map(({ block }) => block.type)).toEqual([
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
  it("shows a table as written when a row has more cells than columns, whatever stands in them", () => {
    for (const cell of ["`--`", "/*", "5"]) {
      const [part] = parseMarkdown(`| a |\n|---|\n| b | ${cell} |`);
      expect(part?.block.type).toBe("written");
    }
    expect(parseMarkdown("| a | b |\n|---|---|\n| c \\| d | `--` |")[0]?.block.type).toBe("table");
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
    for (const target of ["javascript:alert(1)", "data:text/html,hi", "//evil.com", "/inbox", "mailto:a@b.c", "x", ""])
      for (const link of [
        `[x](${target})`,
        `[x](<${target}>)`,
        `<${target}>`,
        `![x](${target})`,
        `[x]: ${target}\n\n[x]`,
      ])
        expect(html(link), link).not.toMatch(/<(a|img)\b/);
    expect(html("[x](javascript:alert(1))")).toContain("[x](javascript:alert(1))");
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
  it("shows a link's title, a picture's address and a definition, which pages do not", () => {
    expect(html('[x](https://a.b "pay 900")')).toContain("(https://a.b pay 900)");
    expect(html('<https://a.b> [https://a.b](https://a.b "pay")')).toContain("</a><span");
    expect(html("![chart](https://a.b/c.png)")).toContain('!<a href="https://a.b/c.png"');
    expect(html("[a]: https://a.b 'pay 900'\n\n[a]")).toContain("[a]: https://a.b &#x27;pay 900&#x27;");
    expect(html("<!-- pay 900 -->")).toContain("pay 900");
    expect(html("a &copy; &#8238;b")).toContain("a &amp;copy; &amp;#8238;b");
  });
  it("leaves nothing out", () => {
    const quoted = `${"> ".repeat(40)}pay 900`;
    const listed = `${"- ".repeat(40)}pay 900`;
    const row = "|a|b|\n|-|-|\n|1|2|pay 900|";
    for (const text of [quoted, listed, row, "- [x](https://a.b 'pay 900')", "[x](https://a.b/&#112;ay 'pay 900')"])
      expect(html(`before\n\n${text}\n\nafter`), text).toMatch(/<p>before<\/p>.*pay 900.*after/s);
  });
  it("shows every word of any mix of marks", () => {
    const next = numbers(7);
    for (let round = 0; round < 150; round++) {
      const words: string[] = [];
      const some = () => {
        const [before, after] = MARKS[next(MARKS.length)] ?? ["", ""];
        words.push(`w${round}x${words.length}y`);
        return `${before}${words.at(-1)}${after}`;
      };
      const text = Array.from({ length: 2 + next(12) }, some).join(JOINTS[next(JOINTS.length)]);
      const page = html(text);
      for (const word of words) expect(page, text).toContain(word);
      expect(page, text).not.toMatch(/<(img|script|iframe|style|input)\b/);
    }
  });
  it.each([
    ["_under_ __scores__", "<em>under</em> <strong>scores</strong>"],
    ["***both***", "<em><strong>both</strong></em>"],
    ["**a `b**c` d**", "<strong>a <code>b**c</code> d</strong>"],
    ["\\*no\\* 2 \\< 3", "*no* 2 &lt; 3"],
    ["``a ` b``", "<code>a ` b</code>"],
    ["two  \nlines", "two<br/>lines"],
    ["Title\n=====\n\nSub\n---", "<h3>Title</h3><h4>Sub</h4>"],
    ["    code", "<pre><code>code</code></pre>"],
    ["> quote\ngoes on", "<blockquote><p>quote\ngoes on</p></blockquote>"],
    ["- one\ngoes on", "<ul><li>one\ngoes on</li></ul>"],
    ["1. one\n   - inner\n2. two", "<li>one<ul><li>inner</li></ul></li><li>two</li>"],
    ["- a\n\n  ```\n  x\n    y\n  ```\n- b", "<li>a<pre><code>x\n  y</code></pre></li><li>b</li>"],
    ["- a\n* b", "<ul><li>a</li></ul><ul><li>b</li></ul>"],
    ["2020. A year", '<ol start="2020"'],
    ["text\n2. no list", "<p>text\n2. no list</p>"],
    ["#no heading", "<p>#no heading</p>"],
    ["[a](https://b.c/d_(e))", 'href="https://b.c/d_(e)"'],
    ["<https://b.c>", '<a href="https://b.c" target="_blank" rel="noopener noreferrer nofollow">https://b.c</a></p>'],
    ["| a |\n|---|\n| `x \\| y` |", "<td><code>x | y</code></td>"],
    ["a\r\n\r\n- b\r", "<p>a</p><ul><li>b</li></ul>"],
  ])("reads %j like CommonMark", (text, expected) => {
    expect(html(text)).toContain(expected);
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
    "> ",
    ">- ",
    "1. ",
    "![",
    "[](",
    "[a]: b\n",
    "*_",
    "a**b",
    "<a",
    "a|b\n-|-\n",
    "- a\n  ",
    "*a **b ",
  ])("comes to an end with nothing but %j", (part) => {
    // What takes steps by the square of the length runs into the test's own time limit.
    const texts = [part.repeat(Math.ceil(30_000 / part.length)), `# ${part.repeat(5_000)}x`];
    for (const text of [...texts, `a|b\n|-|${part.repeat(5_000)}x`]) expect(parseMarkdown(text)).toBeTypeOf("object");
  });
});

it("does not fill up the rows of a wide table", () => {
  const wide = `${"a|".repeat(1000)}\n${"-|".repeat(1000)}\n${"b\n".repeat(1000)}||\n`;
  expect(html(wide).match(/<td>/g)?.length).toBeLessThan(1100);
});

it("does not nest without bound", () => {
  const page = html(`${"*a ".repeat(3000)}${"a* ".repeat(3000)}`);
  expect(page.match(/<em>/g)?.length).toBe(3000);
  expect(page).not.toContain("<em>a ".repeat(40));
});

/** The same numbers each time: what fails can be tried again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}

const JOINTS = [" ", "\n", "\n\n", "\n  ", "\n    ", "|", "\n> ", "\n- ", "\n|-|-|\n", "\t", "\\", "\r\n"];
const MARKS = [
  ["", ""],
  ["**", "**"],
  ["*", ""],
  ["", "_"],
  ["`", "`"],
  ["```", ""],
  ["```\n", "\n```"],
  ["> ", ""],
  ["- ", ""],
  ["12. ", ""],
  ["# ", " #"],
  ["[", "](https://a.b)"],
  ["[x](https://a.b/", ")"],
  ["[x](https://a.b '", "')"],
  ["[", "](javascript:x)"],
  ["![", "](https://a.b)"],
  ["[", "]: https://a.b 'x'"],
  ["<!-- ", " -->"],
  ["<img alt='", "' src=x onerror=y>"],
  ["<script>", "</script>"],
  ["<https://a.b/", ">"],
  ["|", "|"],
  ["|a|b|\n|-|-|\n|1|", "|3|"],
  ["&#x5b;", "&copy;"],
  ["\\", "\\"],
  ["    ", ""],
  ["~~~ ", "\n~~~"],
  ["", "\n==="],
] as const;

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
