import { includes, isRole } from "@/api/roles";
import type { Ask } from "@/api/types";

export interface Person {
  role: string;
  user: { id: string; email: string };
}

/** Why this person cannot decide: the server knows whether, this has the words. */
export function refusalFor(me: Person, ask: Ask): string | null {
  if (ask.may_decide) return null;
  if (ask.barred) return ask.may_refuse ? null : ask.barred;
  if (hasSigned(me, ask)) return "You signed. Waiting for someone else.";
  const named = namedFor(ask);
  const [only = ""] = named;
  if (named.length === 1 && isRole(only) && me.role !== "viewer")
    return `${only === "admin" || only === "approver" ? "An" : "A"} ${only} must decide this.`;
  if (named.length > 0 && me.role !== "viewer") return `Needs one of: ${named.map(approverWords).join(", ")}.`;
  return "You can view this. Only approvers can decide.";
}

/** Why somebody who may refuse this may not approve it. */
export function barFor(me: Person, ask: Ask): string | null {
  if (ask.barred) return ask.barred;
  return hasSigned(me, ask) ? "You signed. Waiting for someone else; you can still deny it." : null;
}

const hasSigned = ({ user }: Person, ask: Ask): boolean =>
  ask.approvals_required > 1 && ask.approvals.some(({ by, decision }) => by === user.email && decision === "approve");

/** Whom the signature that is due needs. */
export const namedFor = (ask: Ask): string[] => dueStage(ask)?.approvers ?? ask.approvers;

/** By email, id or role; a group's members are not known here, so it counts as possible. */
export function mightBeAmong({ role, user }: Person, named: string[], inGroup = (_: string) => true): boolean {
  return named.some((each) => {
    const [kind, name = ""] = each.split(":");
    if (kind === "group") return inGroup(name);
    const needed = kind === "role" ? name : each;
    return isRole(needed) ? includes(role, needed) : [user.email, user.id].includes(each);
  });
}

export function approverWords(named: string): string {
  const [kind, name] = named.split(":");
  if (kind === "group") return `the group ${name}`;
  if (kind === "role") return `any ${name}`;
  return isRole(named) ? `any ${named}` : named;
}

/** The stage whose turn it is. */
export function dueStage(ask: Ask) {
  const signed = ask.approvals.filter(({ decision }) => decision === "approve").map(({ stage }) => stage);
  for (const stage of ask.stages ?? []) {
    const own = signed.filter((name) => name === stage.name).length;
    if (own < stage.count) return stage;
    for (let left = stage.count; left > 0; left -= 1) signed.splice(signed.indexOf(stage.name), 1);
  }
  return undefined;
}
