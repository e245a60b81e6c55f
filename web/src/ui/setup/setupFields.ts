/** As the API names it in what it refuses. */
export type Path = "name" | `settings.${string}` | `secrets.${string}`;

export interface Field {
  path: Path;
  label: string;
  description?: string;
  placeholder?: string;
  /** How it is written, for who got that wrong. */
  shape?: string;
  /**
   * `address`: one that is a secret, so only its beginning comes back. `command`: a program and its arguments.
   * `pairs`: names with values, a line each. `secrets`: the same, sealed when it is saved.
   */
  as?: "number" | "yes" | "secret" | "address" | "events" | "command" | "pairs" | "secrets";
  choices?: Choice[];
  initial?: string;
  /** A new one begins with one made up. */
  madeUp?: boolean;
  needed?: boolean;
  /** It is nothing without this one, and goes with it. */
  belongsTo?: Path;
  /** It is there only while another field says this. */
  when?: { path: Path; is: string };
}

export interface Choice {
  value: string;
  label: string;
  /** What another field usually is then. */
  usual?: { path: Path; value: string };
}

export interface Fold {
  title: string;
  description: string;
  fields: Field[];
}

/** What was saved of it. Secrets are known by their names only. */
export interface Saved {
  settings: Record<string, unknown>;
  secrets: string[];
}

export const isHidden = ({ as }: Field): boolean => as === "secret" || as === "address";
