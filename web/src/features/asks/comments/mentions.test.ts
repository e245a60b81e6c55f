import { expect, it } from "vitest";
import { byName, completed, matching, openMention } from "./mentions";

const ANN = { email: "ann@example.org", name: "Ann Lee" };
const BOB = { email: "bob@example.org", name: "Bob" };

it.each([
  ["@", "", 0],
  ["Hello @an", "an", 6],
  ["(@ann l", "ann l", 1],
])("a name is being written in %j", (text, typed, at) => {
  expect(openMention(text, text.length)).toEqual({ at, typed });
});

it.each(["", "hello", "mail@an", "@ann ", "@ann lee is", "@a\nb"])("no name is being written in %j", (text) => {
  expect(openMention(text, text.length)).toBeNull();
});

it("only what stands before the cursor counts", () => {
  expect(openMention("@an and more", 3)).toEqual({ at: 0, typed: "an" });
});

it("people are found by the beginning of a name or an address", () => {
  expect(matching([ANN, BOB], "le")).toEqual([ANN]);
  expect(matching([ANN, BOB], "BOB@")).toEqual([BOB]);
  expect(matching([ANN, BOB], "")).toEqual([ANN, BOB]);
  expect(matching([ANN, BOB], "x")).toEqual([]);
});

it("a choice puts the address in, and the cursor behind it", () => {
  const { text, cursor } = completed("Hi @an, look", { at: 3, typed: "an" }, ANN);
  expect(text).toBe("Hi @ann@example.org , look");
  expect(text.slice(cursor)).toBe(", look");
});

it("whom a comment names by an address is read by name", () => {
  const text = "@ANN@example.org and @ann@example.organic: mail@ann@example.org, @ann@example.org.";
  expect(byName(text, [ANN.email], () => "Ann $& Lee")).toBe(
    "@Ann $& Lee and @ann@example.organic: mail@ann@example.org, @Ann $& Lee.",
  );
});
