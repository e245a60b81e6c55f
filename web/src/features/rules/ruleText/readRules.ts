import { isAlias, isMap, isSeq, LineCounter, type Node, parseDocument, visit } from "yaml";

export type Section = "checkpoints" | "auto_approval";
export type Part = Record<string, unknown>;

/** Where a rule stands: in which list, and as which of it. */
export interface RulePlace {
  section: Section;
  index: number;
}

export interface ReadRule extends RulePlace {
  rule: Part;
  line: number;
}

/** The rules of a text, in the order of the text; or why, and where, it cannot be read. */
export type ReadRules = { ok: true; file: Part; rules: ReadRule[] } | { ok: false; line: number; reason: string };

export const LISTS: Record<Section, string[]> = {
  checkpoints: ["checkpoints"],
  auto_approval: ["auto_approval", "rules"],
};

export function readRules(text: string): ReadRules {
  const lines = new LineCounter();
  const file = parseDocument(text, { lineCounter: lines });
  const lineOf = (node: unknown): number => lines.linePos((node as Node | null)?.range?.[0] ?? 0).line;
  const [error] = file.errors;
  if (error) return { ok: false, line: error.linePos?.[0].line ?? 1, reason: firstWords(error.message) };
  let alias: Node | null = null;
  visit(file, {
    Node: (_, node) => {
      if (!isAlias(node) && !("anchor" in node && node.anchor)) return undefined;
      alias = node;
      return visit.BREAK;
    },
  });
  if (alias) return { ok: false, line: lineOf(alias), reason: "Anchors and aliases aren't supported" };
  if (file.contents !== null && !isMap(file.contents))
    return { ok: false, line: 1, reason: "The text must have keys, such as checkpoints" };
  const rules: ReadRule[] = [];
  for (const section of Object.keys(LISTS) as Section[]) {
    const list = file.getIn(LISTS[section], true);
    if (list === undefined || (list as Node & { value?: unknown }).value === null) continue;
    if (!isSeq(list)) return { ok: false, line: lineOf(list), reason: `${LISTS[section].join(".")} must be a list` };
    for (const [index, node] of list.items.entries()) {
      if (!isMap(node))
        return { ok: false, line: lineOf(node), reason: "A rule must have keys, such as name and action" };
      if (!list.flow && !/(^|\n) *- *$/.test(text.slice(0, node.range?.[0])))
        return { ok: false, line: lineOf(node), reason: "A rule must begin on the line of its dash" };
      rules.push({ section, index, rule: node.toJS(file) as Part, line: lineOf(node) });
    }
  }
  return { ok: true, file: (file.toJS() as Part | null) ?? {}, rules };
}

/** The parser goes on with the place and a drawing of it. */
const firstWords = (message: string): string => message.split(/ at line |\n/)[0] ?? message;
