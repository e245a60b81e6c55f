import { type Document, isMap, isScalar, type Node, parseDocument, type ToStringOptions, type YAMLMap } from "yaml";
import { mergeLines } from "@/ui/text/mergeLines";
import { putValue } from "@/ui/text/putValue";
import type { RulePlace } from "./readRules";
import { dedented, indented, type RuleSource, sourceOf } from "./ruleSource";

/** What to put under a key of a rule, or of a block in it; `undefined` takes it away. */
export interface Change {
  path: [key: string] | [block: string, key: string];
  value: unknown;
}

/** The text with changes made in one rule. All else, comments and spaces included, is as it was. */
export function changeRule(text: string, place: RulePlace, changes: Change[]): string {
  const found = sourceOf(text, place);
  if (!found) return text;
  const source = text.slice(found.from, found.to);
  return text.slice(0, found.from) + changedSource(source, found, changes) + text.slice(found.to);
}

function changedSource(source: string, { indent, column, block }: RuleSource, changes: Change[]): string {
  const style = styleOf(source);
  const bare = block ? source.replace("-", " ") : source;
  const doc = parseDocument(dedented(bare, column));
  const written = () => {
    const text = indented(doc.toString(style).replace(/\n$/, ""), column);
    return block ? `${text.slice(0, indent)}-${text.slice(indent + 1)}` : text;
  };
  const plain = written();
  for (const { path, value } of changes) put(doc, doc.contents as unknown as YAMLMap, path, value);
  const changed = written();
  const merged = mergeLines(source.split("\n"), plain.split("\n"), changed.split("\n")).join("\n");
  return saysTheSame(merged, changed, indent) ? merged : changed;
}

function put(doc: Document, rule: YAMLMap, [block, key]: Change["path"], value: unknown): void {
  if (key === undefined) putValue(doc, rule, block, value);
  else {
    putValue(doc, blockOf(doc, rule, block), key, value);
    tidy(doc, rule, block);
  }
}

const SHORT: Record<string, Record<string, true>> = { deny: { deny: true }, auto_approve: { auto_approve: true } };

/** The block under a key, made when it is missing or written in short. */
function blockOf(doc: Document, rule: YAMLMap, key: string): YAMLMap {
  const old = rule.get(key, true) as Node | undefined;
  if (isMap(old)) return old;
  const made = doc.createNode(isScalar(old) ? (SHORT[String(old.value)] ?? {}) : {}) as YAMLMap;
  if (old) made.commentBefore = old.commentBefore ?? old.comment;
  rule.set(doc.createNode(key), made);
  return made;
}

/** A block without anything in it is left out, or said in short. An auto-approval must have its conditions. */
function tidy(doc: Document, rule: YAMLMap, key: string): void {
  const block = rule.get(key, true) as unknown as YAMLMap;
  if (block.items.length > 0) return;
  if (key === "action") rule.set(key, doc.createNode("ask"));
  else if (key === "conditions") block.flow = true;
  else rule.delete(key);
}

/** As it was written here: how far to the right blocks stand, and whether braces have room in them. */
function styleOf(source: string): ToStringOptions {
  const nested = /^( *(?:- +)*)[\w-]+: *(?:#.*)?\n(?: *(?:#.*)?\n)*( *)([^ #\n])/m.exec(source);
  const [key, below] = [nested?.[1]?.length ?? 0, nested?.[2]?.length ?? 0];
  return {
    lineWidth: 0,
    flowCollectionPadding: /[{[] /.test(source),
    indent: nested?.[3] !== "-" && below > key ? below - key : 2,
    indentSeq: !/^( *)[\w-]+: *(?:#.*)?\n\1- /m.test(source),
  };
}

function saysTheSame(one: string, other: string, indent: number): boolean {
  const [left, right] = [parseDocument(dedented(one, indent)), parseDocument(dedented(other, indent))];
  return left.errors.length === 0 && JSON.stringify(left.toJS()) === JSON.stringify(right.toJS());
}
