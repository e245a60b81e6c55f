import MarkdownIt, { type Token } from "markdown-it";

/** Markdown as data. It is turned into elements, never into HTML text, so nothing in it can become markup. */
export type Block =
  | { type: "heading"; level: number; spans: Span[] }
  | { type: "paragraph"; spans: Span[] }
  | { type: "code"; text: string; info: string }
  | { type: "quote"; blocks: Block[] }
  /** The numbers of an ordered list, as they are written. */
  | { type: "list"; numbers: number[] | null; items: Block[][] }
  | { type: "table"; head: Span[][]; rows: Span[][][] }
  | { type: "rule" }
  /** Letter by letter, with its line ends. */
  | { type: "written"; text: string };

export type Span =
  | { type: "text"; text: string }
  | { type: "code"; text: string }
  | { type: "strong"; spans: Span[] }
  | { type: "em"; spans: Span[] }
  | { type: "link"; href: string; title: string; spans: Span[] }
  | { type: "break" };

/** A block of a text, with the lines that it was made from. */
export interface Part {
  source: string;
  block: Block;
}

// Only what is named here is read as Markdown. Not HTML; not images, which would be loaded from elsewhere; not link
// definitions, which would not be shown; not entities, which stand for letters that nobody wrote.
const RULES = ["blockquote", "code", "fence", "heading", "hr", "lheading", "list", "table"];
const INLINE_RULES = ["autolink", "backticks", "emphasis", "escape", "link", "newline"];
const DEEPEST = 20;

const markdown = new MarkdownIt("zero", { maxNesting: DEEPEST }).enable([...RULES, ...INLINE_RULES]);
// What is no link is shown as it is written, and where a link leads as well.
markdown.validateLink = (href) => /^https?:\/\//i.test(href);
markdown.normalizeLink = (href) => href;
markdown.normalizeLinkText = (href) => href;

/** All blocks of a text, one after the other. */
export function parseMarkdown(text: string): Part[] {
  const lines = text.replaceAll(/\r\n?/g, "\n").split("\n");
  const nodes = nested(markdown.parse(lines.join("\n"), {}));
  return nodes.map((node, index) => {
    const source = lines.slice(index && firstLine(node), firstLine(nodes[index + 1])).join("\n");
    // It leaves out what is nested too deeply, and cells to the right of a table. Nothing may be left out here.
    const whole = letters(source) === letters(contentOf(node)) && !hasExtraCells(node, source);
    return { source, block: whole ? blockOf(node) : { type: "written", text: source } };
  });
}

interface Node {
  token: Token;
  inner: Node[];
}

const MOST_OPEN = 32;

/** A tree of what the parser lists: something opens, something stands in it, it closes. */
function nested(tokens: Token[]): Node[] {
  const top: Node[] = [];
  const open = [top];
  for (const token of tokens) {
    const around = open.at(-1) ?? top;
    if (token.nesting < 0) open.pop();
    else {
      const node: Node = { token, inner: token.children ? nested(token.children) : [] };
      around.push(node);
      // Emphasis has no bound of its own: what would stand deeper than any page needs stands behind.
      if (token.nesting > 0) open.push(open.length < MOST_OPEN ? node.inner : around);
    }
  }
  return top;
}

const firstLine = (node: Node | undefined): number | undefined => node?.token.map?.[0];

/** What there is to see of a text, whatever marks it is written with. */
const letters = (text: string): string => text.replaceAll(/(?!\uFEFF)[\s!-/:-@[-`{-~]+/g, "");

/** Whether a row of a table has more cells than the head has columns. They may hold nothing that counts as a letter. */
function hasExtraCells({ token }: Node, source: string): boolean {
  if (token.type !== "table_open") return false;
  const [columns = 0, ...rows] = source.trim().split("\n").map(cellsIn);
  return rows.some((cells) => cells > columns);
}

const cellsIn = (line: string): number =>
  line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "")
    .split(/(?<!\\)\|/).length;

/** What a part says, in the order of its source. */
function contentOf({ token, inner }: Node): string {
  const label = token.type === "fence" || token.type === "list_item_open" ? token.info : "";
  const own = token.type === "inline" ? "" : token.content;
  const href = token.markup === "autolink" ? "" : attribute(token, "href");
  return [label, own, ...inner.map(contentOf), href, attribute(token, "title")].join("");
}

const attribute = (token: Token, name: string): string => String(token.attrGet(name) ?? "");

function blockOf({ token, inner }: Node): Block {
  switch (token.type) {
    case "heading_open":
      return { type: "heading", level: Number(token.tag.slice(1)), spans: spansIn(inner) };
    case "paragraph_open":
      return { type: "paragraph", spans: spansIn(inner) };
    case "fence":
    case "code_block":
      return { type: "code", text: token.content.replace(/\n$/, ""), info: token.info.trim() };
    case "blockquote_open":
      return { type: "quote", blocks: inner.map(blockOf) };
    case "bullet_list_open":
    case "ordered_list_open": {
      const numbers = token.tag === "ol" ? inner.map((item) => Number(item.token.info)) : null;
      return { type: "list", numbers, items: inner.map((item) => item.inner.map(blockOf)) };
    }
    case "table_open": {
      const [head = [], ...rows] = inner.flatMap((part) => part.inner).map((row) => row.inner.map(cellOf));
      return { type: "table", head, rows: rows.map(withoutEmptyEnd) };
    }
    case "hr":
      return { type: "rule" };
    default:
      return { type: "written", text: token.content };
  }
}

const cellOf = ({ inner }: Node): Span[] => spansIn(inner);

/** Short rows are filled up to the width of the table, which may be thousands of cells for one letter. */
const withoutEmptyEnd = (row: Span[][]): Span[][] =>
  row.slice(0, Math.max(1, row.findLastIndex((cell) => cell.length > 0) + 1));

const spansIn = (nodes: Node[]): Span[] => nodes.flatMap(({ inner }) => inner.map(spanOf));

function spanOf({ token, inner }: Node): Span {
  switch (token.type) {
    case "code_inline":
      return { type: "code", text: token.content };
    case "strong_open":
      return { type: "strong", spans: inner.map(spanOf) };
    case "em_open":
      return { type: "em", spans: inner.map(spanOf) };
    case "link_open": {
      const href = attribute(token, "href");
      if (!href) return { type: "text", text: `[${inner.map(contentOf).join("")}]()` };
      return { type: "link", href, title: attribute(token, "title"), spans: inner.map(spanOf) };
    }
    case "hardbreak":
      return { type: "break" };
    case "softbreak":
      return { type: "text", text: "\n" };
    default:
      return { type: "text", text: token.content };
  }
}
