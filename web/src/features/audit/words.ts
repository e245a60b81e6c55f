const ACTIONS: Record<string, string> = {
  "session.opened": "signed in",
  "member.added": "added a member",
  "member.removed": "removed a member",
  "member.role_changed": "changed a role",
  "token.created": "made a token",
  "token.revoked": "revoked a token",
  "ask.opened": "asked",
  "ask.assigned": "handed an ask on",
  "ask.signed": "signed",
  "ask.expired": "let an ask expire",
  "ask.escalated": "told somebody else",
  "password.changed": "set a password",
  "deliverable.changed": "changed a deliverable",
  "deliverable.deleted": "deleted a deliverable",
  "lesson.forgotten": "dropped a lesson",
  "rule.proposed": "proposed a rule",
  "suggestion.dismissed": "dismissed a suggestion",
  "run.clarification_skipped": "skipped the questions",
  "workspace.created": "made the workspace",
  "ask.cancelled": "withdrew an ask",
  "call.succeeded": "made a call",
  "call.failed": "made a call that failed",
  "run.ended": "ended its run",
  "run.started": "started a run",
  "run.message": "wrote to a run",
  "run.paused": "paused a run",
  "run.resumed": "resumed a run",
  "run.cancelled": "cancelled a run",
  "run.completed": "completed a run",
  "run.deleted": "deleted a run",
  "ask.answered": "answered an ask",
  "rules.saved": "saved the rules",
  "rules.stopped": "pulled the emergency stop",
  "rules.restarted": "switched the emergency stop off",
  "agent.created": "made an agent",
  "agent.changed": "changed an agent",
  "agent.deleted": "deleted an agent",
  "allowance.given": "gave an allowance",
  "allowance.revoked": "took an allowance back",
  "group.changed": "changed a group",
  "group.deleted": "deleted a group",
};

/** What was done, in words; an action without its own words is spelled out. */
export const actionWords = (action: string): string => ACTIONS[action] ?? action.replaceAll(/[._]/g, " ");

/** To what, as people know it; the id where the record has no name. */
export function subjectWords({ subject, data }: { subject: string; data: Record<string, unknown> }): string {
  const name = data.title ?? data.name ?? data.tool ?? data.email;
  return typeof name === "string" ? name : subject;
}
