export interface Hit {
  start: number;
  end: number;
}

interface SnippetPart {
  at: number;
  part: string;
  hit: boolean;
}

/** Text cut at its hits. The server counts whole characters, not halves as JavaScript does. */
export function snippetParts(text: string, hits: Hit[]): SnippetPart[] {
  const characters = [...text];
  const parts: SnippetPart[] = [];
  let at = 0;
  const add = (end: number, hit: boolean) => {
    if (end > at) parts.push({ at, part: characters.slice(at, end).join(""), hit });
    at = Math.max(at, end);
  };
  for (const { start, end } of hits) {
    add(start, false);
    add(end, true);
  }
  add(characters.length, false);
  return parts;
}
