import { isMap, isSeq, parseDocument } from "yaml";
import { LISTS, type RulePlace } from "./readRules";

/** The part of a text that one rule is, without its last line break. */
export interface RuleSource {
  from: number;
  to: number;
  /** How far to the right its dash stands; a rule in a list with brackets has none. */
  indent: number;
  /** How far to the right its keys stand. */
  column: number;
  /** Lines of its own, or between the brackets of a list. */
  block: boolean;
}

export function sourceOf(text: string, { section, index }: RulePlace): RuleSource | null {
  const list = parseDocument(text).getIn(LISTS[section], true);
  const node = isSeq(list) ? list.items[index] : undefined;
  if (!isSeq(list) || !isMap(node) || !node.range) return null;
  const [from, to] = node.range;
  if (list.flow) return { from, to, indent: 0, column: 0, block: false };
  const start = text.lastIndexOf("\n", from - 1) + 1;
  const content = text.slice(from, to).trimEnd().length + from;
  const end = text.indexOf("\n", content);
  const indent = text.slice(start).search(/\S/);
  return { from: start, to: end < 0 ? text.length : end, indent, column: from - start, block: true };
}

/** The same with the comment right above it, which goes where the rule goes. */
export function withComment(text: string, source: RuleSource): RuleSource {
  let { from } = source;
  while (from > 0) {
    const above = text.lastIndexOf("\n", from - 2) + 1;
    const line = text.slice(above, from);
    if (line.search(/\S/) !== source.indent || !line.trimStart().startsWith("#")) break;
    from = above;
  }
  return { ...source, from };
}

export const dedented = (source: string, indent: number): string =>
  source
    .split("\n")
    .map((line) => line.slice(Math.min(indent, Math.max(line.search(/\S|$/), 0))))
    .join("\n");

export const indented = (source: string, indent: number): string =>
  source
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(indent) + line))
    .join("\n");
