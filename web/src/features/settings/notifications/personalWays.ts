import type { Preferences } from "@/api/preferences";
import type { Channel, ChannelKind } from "@/api/types";

type Wanted = NonNullable<Preferences["channels"]>;

/** A way to reach one person, as they switch it on and off. */
export interface Way {
  kind: ChannelKind;
  /** Names it in the preferences. */
  key: string;
  label: string;
  /** Channels that this speaks for: what was once said of one of them by its name counts before its kind. */
  names: string[];
}

// Without a word about it; others write to people only if they want that.
const USUAL: ChannelKind[] = ["email", "push"];

/** The ways that are there. Of mail and push there is one for everybody; of the others, each channel is its own. */
export function waysOf(channels: Channel[]): Way[] {
  const ways = new Map<string, Way>();
  const personal = channels.filter(({ personal, enabled }) => personal && enabled);
  for (const { kind, name } of personal) {
    const alone = USUAL.includes(kind) || personal.filter((each) => each.kind === kind).length === 1;
    const key = alone ? kind : name;
    const known = ways.get(key);
    if (known) known.names.push(name);
    else ways.set(key, { kind, key, label: name, names: [name] });
  }
  return [...ways.values()];
}

/** Push is switched on browser by browser; a switch for all of them is for who has some, or had switched it off. */
export const isOffered = (way: Way, wanted: Wanted, browsers: number): boolean =>
  way.kind !== "push" || browsers > 0 || !isWanted(way, wanted);

export function isWanted({ kind, names }: Way, wanted: Wanted): boolean {
  const said = [...names, kind].find((name) => name in wanted);
  return said === undefined ? USUAL.includes(kind) : (wanted[said] ?? false);
}

/** Said once, by the way's own key, so that a link in a message can still stop its kind. */
export function choose({ key, names }: Way, wanted: Wanted, on: boolean): Wanted {
  const rest = Object.entries(wanted).filter(([name]) => !names.includes(name));
  return { ...Object.fromEntries(rest), [key]: on };
}
