/**
 * Text that could show something else than what it is: characters that cannot be seen or that turn the direction of
 * writing, gaps that push the rest out of sight, and addresses in letters that look like others.
 *
 * The lists are those of `kit/text/deceptive.py`; a test compares them.
 */
export const HIDDEN =
  "0-8 b-1f 7f-9f ad 34f 61c 115f-1160 17b4-17b5 180b-180f 200a-200f 2028-202e 2060-206f 2800 3164 d800-dfff e000-f8ff fdd0-fdef fe00-fe0f feff ffa0 fff0-fffb fffe-ffff 1bca0-1bca3 1d159 1d173-1d17a e0000-10ffff";
/** After these a variation selector, and between two of them a joiner, makes another picture. */
export const EMOJI = "23 2a 30-39 a9 ae 203c-2bff 3030 303d 3297 3299 1f000-1faff";
/** Letters and marks that look like a Latin one, or like a mark that ends a name. */
export const LOOKS_LIKE =
  "430:a 435:e 43e:o 440:p 441:c 443:y 445:x 44c:b 455:s 456:i 458:j 475:v 4af:y 4bb:h 4cf:l 501:d 51b:q 51d:w " +
  "405:S 406:I 408:J 410:A 412:B 415:E 41a:K 41c:M 41d:H 41e:O 420:P 421:C 422:T 423:Y 425:X 4c0:I " +
  "3b1:a 3b3:y 3b9:i 3ba:k 3bd:v 3bf:o 3c1:p 3c3:o 3c5:u 3c7:x 3f2:c 3f3:j " +
  "391:A 392:B 395:E 396:Z 397:H 399:I 39a:K 39c:M 39d:N 39f:O 3a1:P 3a4:T 3a5:Y 3a7:X " +
  "570:h 578:n 57d:u 581:g 585:o 131:i 237:j 251:a 261:g 269:i 1d04:c 1d0f:o 1d1c:u 1d20:v 1d21:w 1d22:z " +
  "2044:/ 2215:/ 29f8:/ 3002:. ff61:.";
/** Beside Latin letters in one word, letters of these are there to deceive. */
export const OTHER_SCRIPTS =
  "Arabic Armenian Cherokee Coptic Cyrillic Devanagari Georgian Greek Hebrew Lisu Myanmar Thai";
/** Who has seen so many warnings in one text needs no more of them, only to know that there would be. */
export const MOST_WARNINGS = 50;
export const NO_MORE_WARNINGS = "there are more addresses like this";

const NAMES: Record<number, string> = {
  8203: "zero-width space",
  8238: "right-to-left override",
};

export type Piece =
  | { as: "text"; text: string }
  /** Characters that cannot be seen. */
  | { as: "hidden"; text: string; means: string }
  /** Nothing but white space, and a lot of it. */
  | { as: "gap"; text: string; size: number }
  /** Not part of the text: a warning about the address before it. */
  | { as: "warning"; text: string };

const MOST_IN_A_ROW = 8;
export const classOf = (ranges: string): string =>
  ranges.replaceAll(/[^ ]+/g, (range) => range.replaceAll(/[\da-f]+/g, "\\u{$&}")).replaceAll(" ", "");
const ONE_EMOJI = new RegExp(`^[${classOf(EMOJI)}]$`, "u");
const BLANK = " \\t\\u00a0\\u1680\\u2000-\\u2009\\u202f\\u205f\\u3000";
const GAP = `(?:^|\\n)(?:[${BLANK}\\r]*\\n){3,}|\\t{6,}|[${BLANK}]{41,}`;
const ODD = new RegExp(`(?<gap>${GAP})|[${classOf(HIDDEN)}]`, "gu");
/** What cannot be odd in any way is told from the rest at once. */
const SUSPECT = /[^\n\t\x20-\x7e]|\n[ \t]*\n[ \t]*\n|\t{6}|[ \t]{41}|xn--/i;
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/** Whether the text must not be shown just as it is. */
export const needsCare = (text: string): boolean => SUSPECT.test(text) && (isRightToLeft(text) || isOdd(text));

/** Whether something in it cannot be seen as it is. */
export function isOdd(text: string): boolean {
  if (!SUSPECT.test(text)) return false;
  const [first, ...rest] = pieces(text);
  return rest.length > 0 || (first !== undefined && first.as !== "text");
}

export const isRightToLeft = (text: string): boolean => RIGHT_TO_LEFT.test(text);

/** The text as one string, with what is hidden shown by its number: for titles and notifications. */
export const visibleText = (text: string): string =>
  isOdd(text)
    ? pieces(text)
        .map((piece) => (piece.as === "gap" || piece.as === "warning" ? ` [${piece.text}] ` : piece.text))
        .join("")
    : text;

/** The text in its parts: what may be shown as it is, and what stands for the rest. */
export function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  let row = 0;
  let warnings = 0;
  const upTo = (end: number) => {
    if (end > from) {
      row = 0;
      const shown = withWarnings(text.slice(from, end), warnings);
      warnings += shown.filter(({ as }) => as === "warning").length;
      for (const piece of shown) found.push(piece);
    }
  };
  for (const { 0: what, index, groups } of text.matchAll(ODD)) {
    if (groups?.gap === undefined && isHarmless(text, what, index)) continue;
    upTo(index);
    from = index + what.length;
    if (groups?.gap !== undefined) found.push(...gap(what, index));
    else if (++row <= MOST_IN_A_ROW) found.push(hidden(what));
    else {
      if (row > MOST_IN_A_ROW + 1) found.pop();
      found.push({ as: "hidden", text: `+${row - MOST_IN_A_ROW}`, means: "more of them" });
    }
  }
  upTo(text.length);
  return found;
}

/** The end of a Windows line, and what makes one emoji out of others. */
function isHarmless(text: string, character: string, index: number): boolean {
  if (character === "\r") return text[index + 1] === "\n";
  if (character !== "\ufe0f" && character !== "\u200d") return false;
  const before = [...text.slice(Math.max(0, index - 4), index)].filter((each) => each !== "\ufe0f").at(-1) ?? "";
  if (!ONE_EMOJI.test(before)) return false;
  return character === "\ufe0f" || ONE_EMOJI.test(String.fromCodePoint(text.codePointAt(index + 1) ?? 0));
}

export function hidden(character: string): Piece & { as: "hidden" } {
  const code = character.codePointAt(0) ?? 0;
  const number = code.toString(16);
  const name = NAMES[code] ?? "an invisible character";
  return { as: "hidden", text: numbered(character), means: `U+${number.toUpperCase().padStart(4, "0")}, ${name}` };
}

/** As programmers write it. */
export function numbered(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const number = code.toString(16);
  return code > 0xffff ? `\\U${number.padStart(8, "0")}` : `\\u${number.padStart(4, "0")}`;
}

function gap(what: string, index: number): Piece[] {
  const newlines = what.split("\n").length - 1;
  const count = (number: number) => number.toLocaleString("en");
  if (newlines === 0)
    return [
      { as: "gap", text: `${count(what.length)} ${what.startsWith("\t") ? "tabs" : "spaces"}`, size: what.length },
    ];
  const lines = newlines - (index === 0 ? 0 : 1);
  const empty: Piece = { as: "gap", text: `${count(lines)} empty lines`, size: lines };
  const line: Piece = { as: "text", text: "\n" };
  return index === 0 ? [empty, line] : [line, empty, line];
}

// What may be in the name of a host or of a person at one, and what only looks as if it ended it.
const LETTER = "\\p{L}\\p{N}\\u0300-\\u036f";
const DOT = ".@\\u2024\\u3002\\uff0e\\uff20\\uff61";
const SLASH = "\\u2044\\u2215\\u29f8\\uff0f";
const ADDRESS = new RegExp(`[${LETTER}${DOT}${SLASH}_%+\\-]{3,320}`, "gu");
const IS_ADDRESS = new RegExp(`[^${DOT}][${DOT}][^${DOT}]`, "u");
const BETWEEN_WORDS = new RegExp(`[^${LETTER}${SLASH}]+`, "u");
const IMITATES = new RegExp(`[${DOT.slice(2)}${SLASH}\\uff00-\\uffef]`, "u");
const END = /[\s<>"')\]]|$/g;
const OTHERS = new RegExp(`[${OTHER_SCRIPTS.replaceAll(/\w+/g, "\\p{Script=$&}").replaceAll(" ", "")}]`, "u");
const LATIN = new Map(
  LOOKS_LIKE.split(" ").map((pair) => [String.fromCodePoint(Number.parseInt(pair, 16)), pair.split(":")[1] ?? ""]),
);

/** A text without hidden characters, with a warning after each address that looks like another, up to a measure. */
function withWarnings(text: string, before: number): Piece[] {
  const found: Piece[] = [];
  let from = 0;
  let count = before;
  if (count <= MOST_WARNINGS && (!isAscii(text) || /xn--/i.test(text)))
    for (const { 0: address, index } of text.matchAll(ADDRESS)) {
      const warning = warningAbout(address.replace(/[.-]+$/, ""));
      if (!warning) continue;
      count += 1;
      // After the whole address, with what follows the host; several may share one end.
      const end = index + address.length <= from ? from : endAfter(text, index + address.length);
      if (end > from) found.push({ as: "text", text: text.slice(from, end) });
      found.push({ as: "warning", text: count <= MOST_WARNINGS ? warning : NO_MORE_WARNINGS });
      from = end;
      if (count > MOST_WARNINGS) break;
    }
  if (from < text.length) found.push({ as: "text", text: text.slice(from) });
  return found;
}

function endAfter(text: string, at: number): number {
  END.lastIndex = at;
  return END.exec(text)?.index ?? text.length;
}

/** What is wrong with the letters of an address, if anything. */
export function warningAbout(address: string): string | null {
  if (!IS_ADDRESS.test(address)) return null;
  const decoded = address.replaceAll(/\bxn--([a-z\d-]+)/gi, (name, code) => fromPunycode(code) ?? name);
  if (decoded !== address) return `${warningAbout(decoded) ?? "in other letters"}, it reads ${decoded}`;
  if (isAscii(address)) return null;
  const words = address.split(BETWEEN_WORDS);
  const written = [...address].map((each) => (isAscii(each) ? each : numbered(each))).join("");
  if (IMITATES.test(address) || words.some((word) => latin(word) !== word && isAscii(latin(word))))
    return `looks like ${latin(address)} but is not: ${written}`;
  const isMixed = words.some((word) => /\p{Script=Latin}/u.test(word) && OTHERS.test(word));
  return isMixed ? `mixed letters: ${written}` : null;
}

const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text);
const latin = (text: string): string =>
  [...text.normalize("NFKC")].map((letter) => LATIN.get(letter) ?? letter).join("");

/** RFC 3492, or nothing where it is none. */
function fromPunycode(code: string): string | null {
  const last = code.lastIndexOf("-");
  const letters = [...code.slice(0, Math.max(0, last))];
  let [at, number, bias] = [0, 128, 72];
  for (let place = last + 1; place < code.length; ) {
    const before = at;
    for (let [weight, base] = [1, 36]; ; base += 36) {
      const digit = Number.parseInt(code[place++] ?? "!", 36);
      // Letters come first in this way of counting, then digits.
      const value = digit < 10 ? digit + 26 : digit - 10;
      if (Number.isNaN(value) || weight > 1e9) return null;
      at += value * weight;
      const least = Math.min(26, Math.max(1, base - bias));
      if (value < least) break;
      weight *= 36 - least;
    }
    const count = letters.length + 1;
    let delta = Math.floor((at - before) / (before === 0 ? 700 : 2));
    delta += Math.floor(delta / count);
    let skew = 0;
    for (; delta > 455; skew += 36) delta = Math.floor(delta / 35);
    bias = skew + Math.floor((36 * delta) / (delta + 38));
    number += Math.floor(at / count);
    if (number > 0x10ffff) return null;
    at %= count;
    letters.splice(at++, 0, String.fromCodePoint(number));
  }
  return letters.join("");
}
