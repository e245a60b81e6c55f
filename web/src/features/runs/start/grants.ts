/** Connections beside what the agent needs, by slug, with the tools that were chosen; none chosen: all of them. */
export type Granted = Record<string, string[]>;

interface Needed {
  connection: string;
  tools: string[] | null;
}

/** What a run is started with; null: what its agent names, and nothing else. */
export function grantsGiven(needed: Needed[], granted: Granted, offered: string[]): Needed[] | null {
  // Another agent may have been chosen since, which needs what was only offered before.
  const chosen = Object.entries(granted).filter(([slug]) => offered.includes(slug));
  if (chosen.length === 0) return null;
  return [...needed, ...chosen.map(([connection, tools]) => ({ connection, tools: tools.length > 0 ? tools : null }))];
}

export function withGrant(granted: Granted, slug: string, tools: string[]): Granted {
  return { ...granted, [slug]: tools };
}

export function withoutGrant(granted: Granted, slug: string): Granted {
  return Object.fromEntries(Object.entries(granted).filter(([each]) => each !== slug));
}
