/** Somebody whom a comment can name. */
export interface Colleague {
  email: string;
  name: string;
}

/** The name that is being written: where its `@` stands, and what is written after it so far. */
export interface OpenMention {
  at: number;
  typed: string;
}

const LONGEST = 40;
const MOST = 6;

/** The mention that the cursor is in, if any. An `@` inside a word is the middle of an address. */
export function openMention(text: string, cursor: number): OpenMention | null {
  const at = text.lastIndexOf("@", cursor - 1);
  if (at < 0 || cursor - at > LONGEST) return null;
  const typed = text.slice(at + 1, cursor);
  const isStart = at === 0 || !/[\w.+-]/.test(text.charAt(at - 1));
  return isStart && !/[\n@]|\s$|\s\S*\s/.test(typed) ? { at, typed } : null;
}

/** Who is meant by what was typed: a name or an address that begins like it, also a name's other words. */
export function matching(people: Colleague[], typed: string): Colleague[] {
  const wanted = typed.toLowerCase();
  const begins = ({ email, name }: Colleague) =>
    [email, name, ...name.split(" ")].some((each) => each.toLowerCase().startsWith(wanted));
  return people.filter(begins).slice(0, MOST);
}

/** The text with somebody's address in place of what was typed: a name may be two people's. */
export function completed(text: string, { at, typed }: OpenMention, { email }: Colleague) {
  const before = `${text.slice(0, at)}@${email} `;
  return { text: before + text.slice(at + 1 + typed.length).trimStart(), cursor: before.length };
}

/** A comment for reading: whom it names by an address goes by name. */
export function byName(text: string, mentions: string[], named: (email: string) => string): string {
  // The longest first: one address may be the beginning of another.
  const longest = [...mentions].sort((one, other) => other.length - one.length);
  return longest.reduce((written, email) => written.replaceAll(addressed(email), () => `@${named(email)}`), text);
}

const addressed = (email: string): RegExp =>
  new RegExp(`(?<![\\w.+-])@${email.replace(/[^\w@]/g, "\\$&")}(?![.+-]*[\\w@])`, "gi");
