import type { Definition } from "./agentDefinition";

type Needed = NonNullable<Definition["connections_required"]>;

/** How the server reads the name of a connection that is described by an object. */
const NAMED = ["slug", "connection", "name", "provider"];

function nameOf(needed: unknown): string {
  if (typeof needed === "string") return needed;
  const said = new Map(Object.entries(needed ?? {}));
  const name = NAMED.map((key) => said.get(key)).find(Boolean);
  return name ? String(name) : "";
}

export const neededNames = (needed: Needed): string[] => [...new Set(needed.map(nameOf).filter(Boolean))];

/** Those that stay keep what was said about them: why, and whether a run can do without. */
export const withNeeded = (needed: Needed, names: string[]): Needed => [
  ...needed.filter((each) => nameOf(each) === "" || names.includes(nameOf(each))),
  ...names.map((name) => name.trim()).filter((name) => name !== "" && !neededNames(needed).includes(name)),
];

/** Those about which more is said than their name: why, or that a run can do without. */
export const describedNeeds = (needed: Needed) =>
  needed.flatMap((each) => {
    const name = nameOf(each);
    const said = new Map<string, unknown>(typeof each === "object" ? Object.entries(each ?? {}) : []);
    const reason = String(said.get("reason") || said.get("description") || "");
    const optional = said.get("required") === false;
    return name && (reason || optional) ? [{ name, reason, optional }] : [];
  });
