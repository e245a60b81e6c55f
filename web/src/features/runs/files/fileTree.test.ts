import { expect, test } from "vitest";
import type { RunFile } from "@/api/types";
import { byFolder } from "./fileTree";
import { changed, type Sent } from "./useUploads";

const file = (path: string) => ({ path }) as RunFile;

test("files stand under their folders, the top first", () => {
  const tree = byFolder([file("input/b.csv"), file("a.md"), file("input/deep/c.txt"), file("input/a.csv")]);
  expect(tree.map(({ folder, files }) => [folder, files.map(({ name }) => name)])).toEqual([
    ["", ["a.md"]],
    ["input", ["b.csv", "a.csv"]],
    ["input/deep", ["c.txt"]],
  ]);
});

test("an upload is added, followed and removed", () => {
  const sent: Sent = { key: 1, name: "a.csv", size: 3, share: 0 };
  const added = changed([], { kind: "added", files: [sent, { ...sent, key: 2 }] });
  const half = changed(added, { kind: "changed", key: 2, with: { share: 0.5 } });
  expect(half.map(({ share }) => share)).toEqual([0, 0.5]);
  expect(changed(half, { kind: "removed", key: 1 }).map(({ key }) => key)).toEqual([2]);
});
