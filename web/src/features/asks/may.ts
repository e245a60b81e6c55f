import type { Ask } from "@/api/types";

export type Role = "viewer" | "member" | "approver" | "admin";
const RANKS: Role[] = ["viewer", "member", "approver", "admin"];
const includes = (role: Role, other: Role): boolean => RANKS.indexOf(role) >= RANKS.indexOf(other);

interface Person {
  role: string;
  user: { id: string; email: string };
}

/** Why this person cannot decide, as far as the page can know; the server has the last word. */
export function refusalFor(me: Person, ask: Ask): string | null {
  const role = me.role as Role;
  if (!includes(role, "member")) return "You can read this. Deciding needs the role approver.";
  const named = dueStage(ask)?.approvers ?? ask.approvers;
  const signed = ask.approvals.some(({ by }) => by === me.user.email);
  if (signed && ask.approvals_required > 1) return "You have signed. It waits for somebody else.";
  if (ask.assignee === me.user.email) return null;
  if (named.length === 0 || named.some((each) => isMe(each, me, role))) return null;
  return `This needs one of: ${named.map(approverWords).join(", ")}.`;
}

function isMe(named: string, { user }: Person, role: Role): boolean {
  if (named === user.email || named === user.id) return true;
  const plain = named.replace(/^role:/, "") as Role;
  // Who is in a group, only the server knows.
  return named.startsWith("group:") || (RANKS.includes(plain) && includes(role, plain));
}

export function approverWords(named: string): string {
  const [kind, name] = named.split(":");
  if (kind === "group") return `the group ${name}`;
  if (kind === "role") return `any ${name}`;
  return RANKS.includes(named as Role) ? `any ${named}` : named;
}

/** The stage whose turn it is. */
export function dueStage(ask: Ask) {
  let signed = ask.approvals.filter(({ decision }) => decision === "approve").length;
  for (const stage of ask.stages ?? []) {
    if (signed < stage.count) return stage;
    signed -= stage.count;
  }
  return undefined;
}
