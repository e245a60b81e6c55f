import { expect, it } from "vitest";
import { size } from "./fileSize";

it.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1 KB"],
  [1536, "1.5 KB"],
  [10 * 1024 ** 2, "10 MB"],
  [1024 ** 3, "1 GB"],
  [2500 * 1024 ** 3, "2500 GB"],
])("%d bytes are %s", (bytes, words) => {
  expect(size(bytes)).toBe(words);
});
