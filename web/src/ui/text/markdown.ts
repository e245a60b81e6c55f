/** Markdown as data. It is turned into elements, never into HTML text, so nothing in it can become markup. */
export type Block =
  | { type: "heading"; level: number; text: string }
  | { type: "paragraph"; text: string }
  | { type: "code"; text: string; info: string }
  | { type: "quote"; blocks: Block[] }
  | { type: "list"; ordered: boolean; start: number; items: Block[][] }
  | { type: "table"; head: string[]; rows: string[][] }
  | { type: "rule" };

export type Span =
  | { type: "text"; text: string }
  | { type: "code"; text: string }
  | { type: "strong"; spans: Span[] }
  | { type: "em"; spans: Span[] }
  | { type: "link"; href: string; spans: Span[] };

const ITEM = /^(\s*)([-*+]|\d{1,9}[.)])\s+(.*)$/;
const FENCE = /^\s*(`{3,}|~{3,})([^`]*)$/;
const DEEPEST = 8;

export function parseBlocks(text: string, depth = 0): Block[] {
  return new Reader(text.replaceAll("\r\n", "\n").split("\n"), depth).read();
}

class Reader {
  private at = 0;
  private readonly blocks: Block[] = [];

  constructor(
    private readonly lines: string[],
    private readonly depth: number,
  ) {}

  read(): Block[] {
    while (this.at < this.lines.length) {
      const line = this.line();
      if (line.trim() === "") this.at++;
      else this.blocks.push(this.block(line));
    }
    return this.blocks;
  }

  private line(offset = 0): string {
    return this.lines[this.at + offset] ?? "";
  }

  private block(line: string): Block {
    const heading = /^(#{1,6})\s(.*)$/.exec(line);
    if (heading) {
      this.at++;
      return { type: "heading", level: heading[1]?.length ?? 1, text: withoutClosing(heading[2] ?? "") };
    }
    const fence = FENCE.exec(line);
    if (fence) return this.code(fence[1] ?? "", fence[2]?.trim() ?? "");
    if (/^\s*([-*_])(\s*\1){2,}\s*$/.test(line)) {
      this.at++;
      return { type: "rule" };
    }
    if (this.depth < DEEPEST) {
      if (line.startsWith(">")) return this.quote();
      if (ITEM.test(line)) return this.list();
    }
    if (line.includes("|") && isDivider(this.line(1))) return this.table();
    return this.paragraph();
  }

  /** Only a line of nothing but the fence closes it: whatever else stands on a line is shown. */
  private code(fence: string, info: string): Block {
    const from = ++this.at;
    const closes = (line: string) => line.startsWith(fence) && line === (fence[0] ?? "").repeat(line.length);
    while (this.at < this.lines.length && !closes(this.line().trim())) this.at++;
    return { type: "code", text: this.lines.slice(from, this.at++).join("\n"), info };
  }

  private quote(): Block {
    const from = this.at;
    while (this.line().startsWith(">")) this.at++;
    const inner = this.lines.slice(from, this.at).map((line) => line.replace(/^>\s?/, ""));
    return { type: "quote", blocks: parseBlocks(inner.join("\n"), this.depth + 1) };
  }

  private list(): Block {
    const [, indent = "", mark = ""] = ITEM.exec(this.line()) ?? [];
    const ordered = /\d/.test(mark);
    const items: string[][] = [];
    while (this.at < this.lines.length) {
      const found = ITEM.exec(this.line());
      const inside = this.line().startsWith(`${indent}  `) || (this.line().trim() === "" && this.goesOn(indent));
      if (found && (found[1] ?? "").length <= indent.length && /\d/.test(found[2] ?? "") === ordered)
        items.push([found[3] ?? ""]);
      else if (inside)
        items.at(-1)?.push(
          this.line()
            .slice(indent.length)
            .replace(/^ {1,4}/, ""),
        );
      else break;
      this.at++;
    }
    const start = ordered ? Number.parseInt(mark, 10) : 1;
    return { type: "list", ordered, start, items: items.map((lines) => parseBlocks(lines.join("\n"), this.depth + 1)) };
  }

  /** After an empty line a list goes on with an item or with indented text. */
  private goesOn(indent: string): boolean {
    const next = this.line(1);
    return ITEM.test(next) ? next.startsWith(indent) : next.startsWith(`${indent}  `);
  }

  private table(): Block {
    const head = cells(this.line());
    this.at += 2;
    const rows: string[][] = [];
    while (this.line().includes("|")) rows.push(cells(this.lines[this.at++] ?? ""));
    return { type: "table", head, rows };
  }

  private paragraph(): Block {
    const from = this.at++;
    while (
      this.line().trim() !== "" &&
      !/^(#{1,6}\s|>)/.test(this.line()) &&
      !FENCE.test(this.line()) &&
      !ITEM.test(this.line())
    )
      this.at++;
    return { type: "paragraph", text: this.lines.slice(from, this.at).join("\n") };
  }
}

/** `Title ##` → `Title`, but `C#` stays. By hand, since a pattern for it takes forever on a long line of marks. */
function withoutClosing(heading: string): string {
  const text = heading.trim();
  let end = text.length;
  while (text[end - 1] === "#") end--;
  return end === 0 || /\s/.test(text[end - 1] ?? "") ? text.slice(0, end).trimEnd() : text;
}

const isDivider = (line: string): boolean => line.includes("|") && cells(line).every((cell) => /^:?-+:?$/.test(cell));

function cells(line: string): string[] {
  return line
    .trim()
    .replace(/^\||\|$/g, "")
    .split("|")
    .map((cell) => cell.trim());
}

// Every part has an end, so that a mark which nothing closes does not search the whole text for it.
const SPAN =
  /(`{1,8})(?<code>.{1,2000}?)\1|\*\*(?<strong>\S(?:.{0,1000}?\S)?)\*\*|\*(?<em>[^\s*](?:[^*]{0,1000}[^\s*])?)\*|\[(?<label>[^[\]]{1,500})\]\((?<href>[^)\s]{1,2000})\)/s;

export function parseSpans(text: string, depth = 0): Span[] {
  const spans: Span[] = [];
  let rest = text;
  for (let found = SPAN.exec(rest); found && depth < DEEPEST; found = SPAN.exec(rest)) {
    if (found.index > 0) spans.push({ type: "text", text: rest.slice(0, found.index) });
    spans.push(spanOf(found, depth + 1));
    rest = rest.slice(found.index + found[0].length);
  }
  if (rest) spans.push({ type: "text", text: rest });
  return spans;
}

function spanOf(found: RegExpExecArray, depth: number): Span {
  const { code, strong, em, label = "", href = "" } = found.groups ?? {};
  if (code !== undefined) return { type: "code", text: code };
  if (strong !== undefined) return { type: "strong", spans: parseSpans(strong, depth) };
  if (em !== undefined) return { type: "em", spans: parseSpans(em, depth) };
  if (/^https?:\/\//i.test(href)) return { type: "link", href, spans: parseSpans(label, depth) };
  return { type: "text", text: found[0] };
}
