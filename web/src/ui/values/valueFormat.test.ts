import { describe, expect, it } from "vitest";
import { parseExactly } from "@/api/exactIntegers";
import { formatOf, isBlock, label, summary } from "./valueFormat";

describe("a value is read", () => {
  it.each([
    ["short", { as: "word", text: "short" }],
    [true, { as: "word", text: "Yes" }],
    [1450, { as: "number", text: "1450" }],
    [1_250_000, { as: "number", text: "1,250,000" }],
    [1e-7, { as: "number", text: "1e-7" }],
    [0.123456789, { as: "number", text: "0.123456789" }],
    [null, { as: "nothing", text: "nothing (null)" }],
    ["", { as: "nothing", text: "empty text" }],
    ["  ", { as: "nothing", text: "only white space" }],
    [[], { as: "nothing", text: "empty list" }],
    [{}, { as: "nothing", text: "no fields" }],
    ["https://example.com/a", { as: "link", text: "https://example.com/a" }],
    ["two\nlines", { as: "text", text: "two\nlines", language: "plain" }],
    ["# Title\n\ntext", { as: "text", text: "# Title\n\ntext", language: "markdown" }],
    [["a", 2], { as: "list", items: ["a", 2] }],
    [{ a: 1 }, { as: "fields", fields: [["a", 1]] }],
    [
      [{ a: 1 }, { a: 2, b: "x" }],
      {
        as: "table",
        columns: ["a", "b"],
        rows: [
          [1, undefined],
          [2, "x"],
        ],
      },
    ],
  ])("%j", (value, expected) => {
    expect(formatOf(value)).toEqual(expected);
  });
  it("as the integer that was sent, however large", () => {
    expect(formatOf(parseExactly("12345678901234567890"))).toEqual({
      as: "number",
      text: "12,345,678,901,234,567,890",
    });
  });
  it.each(["\n", " \n", "(  ", "[", "- "])("to its end, however long and odd: %j", (part) => {
    // What takes steps by the square of the length runs into the test's own time limit.
    expect(formatOf(part.repeat(300_000)).as).toBeTypeOf("string");
  });
  it("as JSON where it is nested deeply", () => {
    expect(formatOf({ a: 1 }, 2).as).toBe("json");
  });
  it("with its large integers as they were sent, also deep inside", () => {
    expect(formatOf(parseExactly('{"to":12345678901234567890}'), 2)).toEqual({
      as: "json",
      text: '{\n  "to": 12345678901234567890\n}',
    });
  });
  it("never as a link that could run something", () => {
    expect(formatOf("javascript:alert(1)")).toEqual({ as: "word", text: "javascript:alert(1)" });
  });
  it("below its name when it is long", () => {
    expect(isBlock(formatOf("x".repeat(200)))).toBe(true);
    expect(isBlock(formatOf("x"))).toBe(false);
  });
});

it("names become words", () => {
  expect(label("max_cost-credits")).toBe("Max cost credits");
});

it("a call's summary is its first text, on one line", () => {
  expect(summary({ deep: { a: 1 }, path: "a.md\nb", content: "c" })).toBe("a.md");
  expect(summary(parseExactly('{"to":12345678901234567890}') as Record<string, unknown>)).toBe("12345678901234567890");
  expect(summary({})).toBe("");
  expect(summary(null)).toBe("");
});
