import { expect, it } from "vitest";
import { type Hit, snippetParts } from "./snippetParts";

const words = (text: string, hits: Hit[]) =>
  snippetParts(text, hits).map(({ part, hit }) => (hit ? `[${part}]` : part));

it("marks the hits and keeps every character", () => {
  expect(words("a refund of 3", [{ start: 2, end: 8 }])).toEqual(["a ", "[refund]", " of 3"]);
  expect(words("plain", [])).toEqual(["plain"]);
  expect(words("", [])).toEqual([]);
});

it("counts characters as the server does", () => {
  expect(words("😀 refund", [{ start: 2, end: 8 }])).toEqual(["😀 ", "[refund]"]);
});
