import { describe, expect, it } from "vitest";
import { changesBetween, changeWords } from "./argumentChanges";
import { judgeEdit, problemsIn } from "./editedArguments";

it("a cleared field counts as missing", async () => {
  const schema = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
  expect(await problemsIn(schema, { path: undefined })).toEqual([{ path: "path", message: "is required" }]);
  expect(await problemsIn(schema, { path: "a.md" })).toEqual([]);
});

describe("an edit", () => {
  const before = { path: "a.md" };
  const draft = { values: { path: "b.md" }, problem: null };
  const fine = { data: { errors: [] }, fetchStatus: "idle" as const, isPlaceholderData: false };

  it("is sent once the server has seen it", () => {
    expect(judgeEdit(before, draft, draft, fine)).toMatchObject({ arguments: draft.values, checking: false });
    expect(judgeEdit(before, draft, draft, { ...fine, fetchStatus: "fetching" }).arguments).toBeNull();
    expect(judgeEdit(before, draft, draft, { ...fine, isPlaceholderData: true }).checking).toBe(true);
  });
  it("does not count as untouched while nobody can check it, and goes along", () => {
    const offline = { data: { errors: [] }, fetchStatus: "paused" as const, isPlaceholderData: true };
    const edit = judgeEdit(before, draft, draft, offline);
    expect(edit).toMatchObject({ arguments: draft.values, checking: false, unchecked: true });
    expect(edit.changes).toHaveLength(1);
    const down = judgeEdit(before, draft, draft, { ...fine, error: new TypeError("Failed to fetch") });
    expect(down).toMatchObject({ arguments: draft.values, unchecked: true });
  });
  it("stays here while it is wrong or cannot be read", () => {
    const errors = [{ path: "path", message: "must not be empty" }];
    expect(judgeEdit(before, draft, draft, { ...fine, data: { errors } })).toMatchObject({ arguments: null, errors });
    const torn = { values: null, problem: "Not valid JSON." };
    expect(judgeEdit(before, torn, torn, fine)).toMatchObject({
      arguments: null,
      errors: [{ message: "Not valid JSON." }],
    });
  });
  it("is said in one line", () => {
    expect(changeWords(changesBetween(before, draft.values))).toBe("1 change: path a.md → b.md");
    expect(changeWords(changesBetween({ a: 1, b: [1] }, { a: 2, b: [2] }))).toBe("2 changes: a 1 → 2 …");
    expect(changeWords(changesBetween({ text: "x" }, { text: "long\n".repeat(9) }))).toBe("1 change: text changed");
  });
});
