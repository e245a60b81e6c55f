import { describe, expect, it } from "vitest";

type Graph = Map<string, string[]>;

/** Each may import itself and those before it. What several features need stands in api or ui; routes put them together. */
const LAYERS = ["api", "ui", "features", "routes"];
const MOST_IN_A_FOLDER = 15;

const SOURCES: Record<string, string> = import.meta.glob(["./**/*.{ts,tsx}", "!./imports.test.ts"], {
  query: "?raw",
  import: "default",
  eager: true,
});
const IMPORT = /\b(?:from|import|mock)\s*\(?\s*"((?:@|\.{1,2})\/[^"]+)"/g;

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1).replace(/\..*/, "");
const isTest = (path: string): boolean => path.includes(".test.");

/** `@/ui/Tag` and, from `ui/time/clock.tsx`, `../Tag`: both are `ui/Tag`. */
function pathOf(written: string, from: string): string {
  if (written.startsWith("@/")) return written.slice(2);
  const parts = folderOf(from).split("/").filter(Boolean);
  for (const part of written.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== ".") parts.push(part);
  }
  return parts.join("/");
}

function graphOf(sources: Record<string, string>): Graph {
  const files = Object.entries(sources).map(([path, text]): [string, string[]] => {
    const from = path.replace(/^\.\//, "");
    return [from, [...text.matchAll(IMPORT)].map(([, written = ""]) => pathOf(written, from))];
  });
  return new Map(files);
}

function isAllowed(from: string, to: string): boolean {
  const [layer = "", feature] = from.split("/");
  const [other = "", foreign] = to.split("/");
  // What starts the app, and lies beside the layers, may import all of them.
  if (!LAYERS.includes(layer)) return true;
  if (layer === "features" && other === "features") return feature === foreign;
  return LAYERS.includes(other) && LAYERS.indexOf(other) <= LAYERS.indexOf(layer);
}

const forbidden = (graph: Graph): string[] =>
  [...graph].flatMap(([from, imported]) =>
    imported.filter((to) => !isAllowed(from, to)).map((to) => `${from} imports ${to}`),
  );

/** The folders that lead back to themselves. Styles and tests lead nowhere. */
function circles(graph: Graph): string[] {
  const folders = new Map<string, Set<string>>();
  for (const [from, imported] of graph) {
    if (isTest(from)) continue;
    const known = folders.get(folderOf(from)) ?? new Set();
    for (const to of imported) if (!to.includes(".css") && folderOf(to) !== folderOf(from)) known.add(folderOf(to));
    folders.set(folderOf(from), known);
  }
  const reached = (start: string): Set<string> => {
    const seen = new Set<string>();
    const next = [start];
    for (let folder = next.pop(); folder !== undefined; folder = next.pop())
      for (const to of folders.get(folder) ?? []) if (!seen.has(to) && seen.add(to)) next.push(to);
    return seen;
  };
  return [...folders.keys()].filter((folder) => reached(folder).has(folder));
}

const sourceFiles = (graph: Graph): string[] =>
  [...graph.keys()].filter((path) => !isTest(path) && !/\.d\.ts$/.test(path));

function countedBy(paths: string[], key: (path: string) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const path of paths) counts.set(key(path), (counts.get(key(path)) ?? 0) + 1);
  return counts;
}

describe("the app", () => {
  const graph = graphOf(SOURCES);
  it("was read", () => {
    expect(graph.get("main.tsx")).toContain("routes/router");
    expect(sourceFiles(graph).length).toBeGreaterThan(200);
  });
  it("imports from layer to layer, and no feature from another", () => {
    expect(forbidden(graph)).toEqual([]);
  });
  it("has no circle between its folders", () => {
    expect(circles(graph)).toEqual([]);
  });
  it("has no folder that wants to be two", () => {
    const counts = countedBy(sourceFiles(graph), folderOf);
    expect([...counts].filter(([, count]) => count > MOST_IN_A_FOLDER)).toEqual([]);
  });
  it("has no two modules of one name, whatever their case", () => {
    const modules = sourceFiles(graph).filter((path) => !path.startsWith("routes/"));
    const counts = countedBy(modules, (path) => nameOf(path).toLowerCase());
    expect([...counts].filter(([, count]) => count > 1)).toEqual([]);
  });
});

describe("these rules see", () => {
  it.each([
    ["features/asks/Card.tsx", 'import { Run } from "@/features/runs/Run";', "features/runs/Run"],
    ["features/asks/Card.tsx", 'import "../runs/run.module.css";', "features/runs/run.module.css"],
    ["features/asks/Card.tsx", 'const Run = lazy(() => import("../runs/Run"));', "features/runs/Run"],
    ["features/asks/Card.tsx", 'import { router } from "@/routes/router";', "routes/router"],
    ["ui/time/clock.tsx", 'import {\n  Card,\n} from "@/features/asks/Card";', "features/asks/Card"],
    ["ui/Tag.tsx", 'import type { Page } from "../routes/run";', "routes/run"],
    ["api/client.ts", 'export { Tag } from "@/ui/Tag";', "ui/Tag"],
    ["api/client.ts", 'import { register } from "../serviceWorker";', "serviceWorker"],
  ])("in %s what may not be there: %s", (path, text, to) => {
    expect(forbidden(graphOf({ [`./${path}`]: text }))).toEqual([`${path} imports ${to}`]);
  });
  it.each([
    ["features/asks/inbox/Inbox.tsx", 'import { Card } from "../detail/Card";'],
    ["features/asks/Card.tsx", 'import { Tag } from "@/ui/Tag";'],
    ["ui/Tag.tsx", 'import type { Ask } from "@/api/types";'],
    ["routes/run.tsx", 'import { Card } from "@/features/asks/Card";'],
    ["main.tsx", 'import { router } from "./routes/router";'],
  ])("in %s nothing wrong: %s", (path, text) => {
    expect(forbidden(graphOf({ [`./${path}`]: text }))).toEqual([]);
  });
  it("a circle, also a long one", () => {
    const sources = {
      "./ui/a/one.ts": 'import "../b/two";',
      "./ui/b/two.ts": 'import "../c/three";',
      "./ui/c/three.ts": 'import "../a/one";',
      "./ui/d/four.ts": 'import "../a/one";',
    };
    expect(circles(graphOf(sources))).toEqual(["ui/a", "ui/b", "ui/c"]);
  });
});
