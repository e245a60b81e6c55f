import type { Ask } from "@/api/types";

export type Role = "viewer" | "member" | "approver" | "admin";
const RANKS: Role[] = ["viewer", "member", "approver", "admin"];

interface Person {
  role: string;
  user: { id: string; email: string };
}

/** Why this person cannot decide: the server knows whether, this has the words. */
export function refusalFor(me: Person, ask: Ask): string | null {
  const signed = ask.approvals.some(({ by }) => by === me.user.email);
  if (signed && ask.approvals_required > 1) return "You have signed. It waits for somebody else.";
  if (ask.may_decide || startedIt(me, ask)) return null;
  const named = dueStage(ask)?.approvers ?? ask.approvers;
  if (named.length > 0 && me.role !== "viewer") return `This needs one of: ${named.map(approverWords).join(", ")}.`;
  return "You can read this. Deciding needs the role approver.";
}

/** Four eyes: who started the run may refuse, and leaves the approval to somebody else. */
export const startedIt = ({ user }: Person, ask: Ask): boolean => ask.four_eyes && ask.started_by === user.email;

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
