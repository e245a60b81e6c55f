import { isMap, isScalar, isSeq, type Node, parseDocument, stringify, type YAMLSeq } from "yaml";
import { changeRule } from "./changeRule";
import { LISTS, type Part, type RulePlace, readRules, type Section } from "./readRules";
import { dedented, indented, sourceOf, withComment } from "./ruleSource";

const STYLE = { lineWidth: 0, flowCollectionPadding: false };

/** The text of one rule, with the comment above it, as it can be put elsewhere. */
export function takeRule(text: string, place: RulePlace): string {
  const found = sourceOf(text, place);
  if (!found) return "";
  const { from, to, indent, block } = withComment(text, found);
  return block ? dedented(text.slice(from, to), indent) : `- ${text.slice(from, to)}`;
}

export function removeRule(text: string, place: RulePlace): string {
  const found = sourceOf(text, place);
  if (!found) return text;
  if (!found.block) return inBrackets(text, place.section, (items) => items.splice(place.index, 1));
  const { from, to } = withComment(text, found);
  const length = count(text, place.section);
  // With the rule goes the empty line that set it apart from its neighbour.
  const last = place.index === length - 1;
  const before = last && length > 1 ? text.slice(0, from).replace(/\n[^\S\n]*\n$/, "\n") : text.slice(0, from);
  const after = last ? text.slice(to + 1) : text.slice(to + 1).replace(/^[^\S\n]*\n/, "");
  const key = keyEnd(text, place.section);
  return length === 1 ? `${before.slice(0, key)} []${before.slice(key)}${after}` : before + after;
}

/** Put a rule's text into a list, before the one that has this place now. */
export function insertRule(text: string, { section, index }: RulePlace, source: string): string {
  const length = count(text, section);
  if (length === 0) return begin(text, section, source);
  const next = sourceOf(text, { section, index: Math.min(index, length - 1) });
  if (!next) return text;
  if (!next.block) {
    const [made] = (parseDocument(source).contents as unknown as YAMLSeq).items;
    return inBrackets(text, section, (items) => items.splice(index, 0, made as Node));
  }
  const { from, to, indent } = withComment(text, next);
  const lines = indented(source, indent);
  const gap = isSpaced(text, section) ? "\n\n" : "\n";
  return index < length
    ? text.slice(0, from) + lines + gap + text.slice(from)
    : text.slice(0, to) + gap + lines + text.slice(to);
}

/** A rule of its own, at the end of a list. Returns where it stands, too. */
export function addRule(text: string, section: Section, rule: Part): { text: string; place: RulePlace } {
  const place = { section, index: count(text, section) };
  const named = { ...rule, name: freeName(text, String(rule.name)) };
  const lines = stringify([named], STYLE).replace(/\n$/, "");
  return { text: insertRule(text, place, lines), place };
}

export function duplicateRule(text: string, place: RulePlace): { text: string; place: RulePlace } {
  const copy = { section: place.section, index: place.index + 1 };
  const read = readRules(text);
  const name = read.ok ? read.rules.find((each) => isAt(each, place))?.rule.name : "";
  const doubled = insertRule(text, copy, takeRule(text, place));
  return { text: changeRule(doubled, copy, [{ path: ["name"], value: freeName(text, String(name)) }]), place: copy };
}

/** Put a rule right before or after another of its list, also in the order in which they are asked. */
export function moveRule(text: string, from: RulePlace, to: RulePlace, where: "before" | "after"): string {
  const read = readRules(text);
  const [moved, other] = [from, to].map((place) => read.ok && read.rules.find((each) => isAt(each, place)));
  if (!moved || !other) return text;
  const without = removeRule(text, from);
  const shifted = to.index - (from.index < to.index ? 1 : 0) + (where === "after" ? 1 : 0);
  const place = { section: from.section, index: shifted };
  const next = insertRule(without, place, takeRule(text, from));
  if (moved.rule.priority === other.rule.priority) return next;
  return changeRule(next, place, [{ path: ["priority"], value: other.rule.priority }]);
}

export const isAt = (one: RulePlace, other: RulePlace): boolean =>
  one.section === other.section && one.index === other.index;

const listIn = (text: string, section: Section): YAMLSeq | null => {
  const list = parseDocument(text).getIn(LISTS[section], true);
  return isSeq(list) ? list : null;
};
const count = (text: string, section: Section): number => listIn(text, section)?.items.length ?? 0;

/** Whether an empty line stands between the rules of a list; a single rule of several lines would like one. */
function isSpaced(text: string, section: Section): boolean {
  const first = sourceOf(text, { section, index: 0 });
  const second = sourceOf(text, { section, index: 1 });
  if (!first) return false;
  if (!second) return text.slice(first.from, first.to).includes("\n");
  return /\n\s*\n/.test(text.slice(first.to, second.from));
}

/** A name that no rule has: each has its own. */
function freeName(text: string, wanted: string): string {
  const read = readRules(text);
  const taken = new Set(read.ok ? read.rules.map(({ rule }) => rule.name) : []);
  const base = wanted.replace(/ \d+$/, "");
  if (!taken.has(wanted)) return wanted;
  let number = 2;
  while (taken.has(`${base} ${number}`)) number++;
  return `${base} ${number}`;
}

function inBrackets(text: string, section: Section, change: (items: unknown[]) => void): string {
  const list = listIn(text, section);
  if (!list?.range) return text;
  const [from, to] = list.range;
  const doc = parseDocument(text.slice(from, to));
  change((doc.contents as unknown as YAMLSeq).items);
  return text.slice(0, from) + doc.toString(STYLE).trimEnd() + text.slice(to);
}

/** Behind the colon of the key that a list stands under. */
function keyEnd(text: string, section: Section): number {
  const path = LISTS[section];
  const inside = parseDocument(text).getIn(path.slice(0, -1), true);
  const pair = isMap(inside) ? inside.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const end = (pair?.key as Node | undefined)?.range?.[1] ?? 0;
  return text.indexOf(":", end) + 1;
}

/** The first rule of a list that has none, or does not exist. */
function begin(text: string, section: Section, source: string): string {
  const doc = parseDocument(text);
  const path = LISTS[section];
  const [outer] = path.slice(0, -1);
  const empty = doc.getIn(path, true) as Node | undefined;
  const parent = outer === undefined ? doc.contents : doc.get(outer, true);
  if (isMap(parent) && parent.flow && parent.items.length > 0) {
    doc.setIn(path, parseDocument(source).contents);
    return doc.toString(STYLE);
  }
  if (empty?.range) {
    const { col } = columnOf(text, keyStart(text, section));
    const cut = isSeq(empty) ? text.slice(0, empty.range[0]).trimEnd() + text.slice(empty.range[1]) : text;
    const end = cut.indexOf("\n", keyEnd(cut, section));
    const at = end < 0 ? cut.length : end;
    return `${cut.slice(0, at)}\n${indented(source, col + 2)}${cut.slice(at)}`;
  }
  if (outer !== undefined && isMap(parent) && parent.items.length > 0 && parent.range) {
    const { col } = columnOf(text, (parent.items[0]?.key as Node | undefined)?.range?.[0] ?? 0);
    const at = text.slice(0, parent.range[1]).trimEnd().length;
    const end = text.indexOf("\n", at) < 0 ? text.length : text.indexOf("\n", at);
    return `${text.slice(0, end)}\n${indented(`rules:\n${indented(source, 2)}`, col)}${text.slice(end)}`;
  }
  const lines = path.reduceRight((inside, key) => `${key}:\n${indented(inside, 2)}`, source);
  const before = text.trim() === "" ? 'version: "1.0"' : text.trimEnd();
  return `${before}\n\n${lines}\n`;
}

function keyStart(text: string, section: Section): number {
  const end = keyEnd(text, section);
  return end - 1 - (LISTS[section].at(-1)?.length ?? 0);
}

const columnOf = (text: string, at: number): { col: number } => ({ col: at - (text.lastIndexOf("\n", at - 1) + 1) });
