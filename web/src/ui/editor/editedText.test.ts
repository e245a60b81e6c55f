import { describe, expect, it } from "vitest";
import { parse } from "./editedText";

describe("edited arguments", () => {
  it("are taken when they are an object", () => {
    expect(parse('{"path": "a.md"}')).toEqual({ ok: true, value: { path: "a.md" } });
  });
  it.each(['{"path": }', '{"path": "a.md"', "{", ""])("say where they stop being JSON: %s", (text) => {
    const parsed = parse(text);
    expect(parsed.ok).toBe(false);
    expect(parsed.ok ? "" : parsed.message).toMatch(/^Not valid JSON/);
  });
  it.each(["[]", "null", "3", '"text"'])("must be an object, not %s", (text) => {
    expect(parse(text)).toEqual({ ok: false, message: "It must be an object with names and values." });
  });
});
