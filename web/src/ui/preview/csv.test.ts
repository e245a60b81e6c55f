import { expect, test } from "vitest";
import { isFigure, readCsv } from "./csv";

test("a table has a head and rows", () => {
  expect(readCsv("name,price\nHalyard,55\n")).toEqual({ head: ["name", "price"], rows: [["Halyard", "55"]], total: 1 });
});

test("quotes hold separators, line ends and quotes", () => {
  expect(readCsv('a,b\r\n"x, y","1\n2 ""three"""\r\n').rows).toEqual([["x, y", '1\n2 "three"']]);
});

test("the separator is the one that the first line uses", () => {
  expect(readCsv("a;b;c\n1,5;2;3").rows).toEqual([["1,5", "2", "3"]]);
  expect(readCsv("a\tb\n1\t2").head).toEqual(["a", "b"]);
});

test("an empty text is an empty table", () => {
  expect(readCsv("")).toEqual({ head: [], rows: [], total: 0 });
});

test("only the first rows are shown, all are counted", () => {
  const { rows, total } = readCsv(`n\n${Array.from({ length: 900 }, (_, index) => index).join("\n")}`);
  expect([rows.length, total]).toEqual([500, 900]);
});

test("figures are told from words", () => {
  expect(["1,000.50", "12 %", "-3"].every(isFigure)).toBe(true);
  expect(["yes", "", "3 apples"].some(isFigure)).toBe(false);
});
