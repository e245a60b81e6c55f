/** A command and names with values, as people write them in a line. */

const PART = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/g;

/** `npx -y "a server" /data`: the program, and its arguments. No shell reads it, so nothing else has a meaning. */
export function commandOf(text: string): { command: string; args: string[] } {
  const parts = [...text.matchAll(PART)].map(
    ([, double, single, plain]) => double?.replace(/\\(.)/g, "$1") ?? single ?? plain ?? "",
  );
  return { command: parts[0] ?? "", args: parts.slice(1) };
}

export function commandText(command: unknown, args: unknown): string {
  const parts = [command, ...(Array.isArray(args) ? args : [])].map(String);
  return parts.map((part) => (/^[^\s"']+$/.test(part) ? part : `"${part.replace(/(["\\])/g, "\\$1")}"`)).join(" ");
}

/** `NAME=value`, a line each. */
export function pairsOf(text: string): Record<string, string> {
  const pairs: Record<string, string> = {};
  for (const line of text.split("\n")) {
    const [, name, value] = /^\s*([^=:\s]+)\s*[=:]\s*(.*?)\s*$/.exec(line) ?? [];
    if (name) pairs[name] = value ?? "";
  }
  return pairs;
}

export const pairsText = (known: unknown): string =>
  Object.entries((known ?? {}) as Record<string, unknown>)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join("\n");
