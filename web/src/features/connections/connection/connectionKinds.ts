import type { Connection, ConnectionKind } from "@/api/types";
import type { IconName } from "@/ui/icons";
import { commandText } from "@/ui/setup/setupLines";

interface KindWords {
  label: string;
  icon: IconName;
  /** What agents can do through it, in one sentence. */
  about: string;
}

/** Every kind of connection, in the order in which they are offered. */
export const KINDS: Record<ConnectionKind, KindWords> = {
  mcp: { label: "MCP server", icon: "plug", about: "Any server that speaks MCP, by a command or a web address." },
  database: {
    label: "Database",
    icon: "database",
    about: "Reads tables, and changes them after an approval that shows which rows.",
  },
  http: { label: "HTTP API", icon: "webhook", about: "Calls one web service with a token that agents never see." },
  email: { label: "Email", icon: "mail", about: "Sends mail from an address of yours, shown before it goes out." },
  slack: { label: "Slack", icon: "hash", about: "Reads the list of channels and posts messages." },
};

/** What it leads to, as far as this reader may know. */
export function placeWords({ kind, settings }: Pick<Connection, "kind" | "settings">): string {
  const place = (name: string): string => (typeof settings[name] === "string" ? settings[name] : "");
  switch (kind) {
    case "mcp":
      return place("url") || (settings.command ? commandText(settings.command, settings.args) : "");
    case "http":
      return place("base_url");
    case "database":
      return place("url");
    case "email":
      return place("from") && `From ${place("from")}, through ${place("host")}`;
    case "slack":
      return place("channel");
  }
}

/** How its tools stand, in a few words. */
export function toolWords({ kind, tools, unreviewed, listed_at }: Connection): string {
  if (kind !== "mcp") return "";
  if (!listed_at) return "Its tools are not known yet: test it";
  const all = `${tools} ${tools === 1 ? "tool" : "tools"}`;
  return unreviewed === 0 ? `${all}, all reviewed` : `${all}, ${unreviewed} not reviewed`;
}

/** The beginning of its tools' names, made of what people call it. */
export function slugOf(name: string): string {
  const plain = name.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  return plain
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 30)
    .replace(/^-+|-+$/g, "");
}
