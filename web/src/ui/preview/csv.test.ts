import { expect, test } from "vitest";
import { extent, isFigure, readCsv } from "./csv";

test("a table has a head and rows", () => {
  const sheet = readCsv("name,price\nHalyard,55\n");
  expect(sheet).toEqual({ head: ["name", "price"], rows: [["Halyard", "55"]], total: 1, columns: 2, whole: true });
  expect(extent(sheet)).toBe("1 rows");
});

test("quotes hold separators, line ends and quotes", () => {
  expect(readCsv('a,b\r\n"x, y","1\n2 ""three"""\r\n').rows).toEqual([["x, y", '1\n2 "three"']]);
});

test("the separator is the one that makes the rows alike", () => {
  expect(readCsv("text, with, commas;b\nx;y\nu;v").head).toEqual(["text, with, commas", "b"]);
  expect(readCsv('"a;b;c",d\n1,2').head).toEqual(["a;b;c", "d"]);
  expect(readCsv("a|b\n1|2").rows).toEqual([["1", "2"]]);
  expect(readCsv("a;b;c\n1,5;2;3").rows).toEqual([["1,5", "2", "3"]]);
  expect(readCsv("a\tb\n1\t2").head).toEqual(["a", "b"]);
});

test("lines end in any way, and empty ones are no rows", () => {
  expect(readCsv("a,b\r1,2\r\r3,4").rows).toEqual([
    ["1", "2"],
    ["3", "4"],
  ]);
});

test("an empty text is an empty table", () => {
  expect(readCsv("")).toMatchObject({ head: [], rows: [], total: 0 });
});

test("only the first rows are shown, all are counted", () => {
  const sheet = readCsv(`n\n${Array.from({ length: 900 }, (_, index) => index).join("\n")}`);
  expect([sheet.rows.length, sheet.total]).toEqual([500, 900]);
  expect(extent(sheet)).toBe("The first 500 of 900 rows. Download it to see the rest.");
});

test("a large text is read in part, and says so", () => {
  const sheet = readCsv("12,abc\n".repeat(100_000));
  expect(sheet.rows.at(-1)).toEqual(["12", "abc"]);
  expect(extent(sheet)).toMatch(/^The first 500 of more than 35,\d{3} rows\. Download/);
});

test("a wide table is shown in part, and says so", () => {
  const sheet = readCsv(`${"a,".repeat(999)}a\n${"1,".repeat(999)}1`);
  expect([sheet.head.length, sheet.rows[0]?.length]).toEqual([100, 100]);
  expect(extent(sheet)).toBe("The first 100 of 1,000 columns. Download it to see the rest.");
});

test.each(['"', ",", "\n", 'a"', '"a,', '"a"b', '"\n', '"a" ,'])("comes to an end with nothing but %j", (part) => {
  const { rows, head } = readCsv(part.repeat(Math.ceil(2_000_000 / part.length)));
  expect(rows.length).toBeLessThanOrEqual(500);
  expect(head.length).toBeLessThanOrEqual(100);
});

test("figures are told from words", () => {
  expect(["1,000.50", "12 %", "-3"].every(isFigure)).toBe(true);
  expect(["yes", "", "3 apples"].some(isFigure)).toBe(false);
});
