import { describe, expect, it } from "vitest";
import { withAsk, withoutAsk } from "@/api/live/cachedLists";
import type { Ask } from "@/api/types";
import { optionsOf } from "@/ui/domain/askOptions";
import { parse } from "@/ui/editor/editedText";
import { linesOf, linesWithin } from "./arguments/ChangeList";
import { nextAfter } from "./inbox/openAsks";

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
    expect(parse(text)).toEqual({ ok: false, message: "It must be an object: names with values." });
  });
  it("show texts line by line and other values whole", () => {
    expect(linesOf({ path: "a", change: "changed", original: "x\ny", modified: "x\nz" })).toHaveLength(3);
    expect(linesOf({ path: "a", change: "added", original: null, modified: { b: 1 } })).toEqual([
      { change: "added", text: '{\n  "b": 1\n}' },
    ]);
  });
  it("are drawn up to a bound, be they many lines or one long one", () => {
    const lines = Array.from({ length: 30_000 }, () => ({ change: "added" as const, text: "x" }));
    expect(linesWithin(lines, 1000)).toHaveLength(500);
    expect(linesWithin(lines, 60_000)).toEqual(lines);
    expect(linesWithin([{ change: "added", text: "x".repeat(1e6) }], 1000)[0]?.text).toHaveLength(1000);
  });
});

describe("after a decision", () => {
  it("the next ask is the one below, else the one above", () => {
    expect(nextAfter(["a", "b", "c"], "b")).toBe("c");
    expect(nextAfter(["a", "b", "c"], "c")).toBe("b");
    expect(nextAfter(["a"], "a")).toBeUndefined();
    expect(nextAfter(["a", "b"], "gone")).toBe("a");
  });
  it("the ask leaves the list", () => {
    const list = { pages: [{ items: [{ id: "a" }, { id: "b" }] as Ask[], total: 2 }], pageParams: [null] };
    expect(withoutAsk(list, "a")?.pages[0]).toMatchObject({ items: [{ id: "b" }], total: 1 });
  });
});

it("a changed ask takes its own place in a list", () => {
  const list = { pages: [{ items: [{ id: "a" }, { id: "b", digest: "old" }] as Ask[], total: 2 }], pageParams: [null] };
  expect(withAsk(list, { id: "b", digest: "new" } as Ask)?.pages[0]?.items[1]).toEqual({ id: "b", digest: "new" });
  expect(withAsk(list, { id: "c" } as Ask)).toBeUndefined();
});

it("options may be objects or bare values", () => {
  expect(optionsOf({ options: ["red", { id: "g", label: "Green", value: 2 }, { value: "blue" }] })).toMatchObject([
    { label: "red", value: "red" },
    { id: "g", label: "Green", value: 2 },
    { label: "blue", value: "blue" },
  ]);
  expect(optionsOf({ options: null })).toEqual([]);
});
