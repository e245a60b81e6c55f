const ACTIONS: Record<string, string> = {
  "session.opened": "signed in",
  "session.closed": "signed out",
  "session.refused": "gave a wrong password",
  "invitation.created": "invited someone",
  "invitation.accepted": "accepted an invitation",
  "invitation.revoked": "revoked an invitation",
  "link.created": "made a sign-in link",
  "ask.edited": "edited an ask",
  "ask.struck_out": "voided a signature",
  "call.late_result": "recorded a late result of a call",
  "audit.sealed": "sealed the record",
  "member.added": "added a member",
  "member.removed": "removed a member",
  "member.renamed": "changed their name",
  "member.role_changed": "changed a role",
  "token.created": "created a token",
  "token.revoked": "revoked a token",
  "ask.opened": "asked",
  "ask.assigned": "assigned an ask",
  "ask.signed": "signed",
  "ask.expired": "expired an ask",
  "ask.escalated": "escalated an ask",
  "password.changed": "set a password",
  "deliverable.changed": "changed a deliverable",
  "deliverable.deleted": "deleted a deliverable",
  "ask.answered_late": "answered late, in a new run",
  "workspace.changed": "changed the workspace’s settings",
  "lesson.changed": "changed a lesson",
  "lesson.merged": "merged lessons",
  "lesson.forgotten": "deleted a lesson",
  "rule.proposed": "proposed a rule",
  "suggestion.dismissed": "dismissed a suggestion",
  "run.clarification_skipped": "skipped the questions",
  "workspace.created": "created the workspace",
  "ask.cancelled": "cancelled an ask",
  "ask.auto_approved": "let an ask through by a rule",
  "delegation.created": "named a deputy",
  "delegation.ended": "ended a delegation",
  "call.auto_approved": "allowed a call",
  "call.denied": "denied a call",
  "call.succeeded": "made a call",
  "call.failed": "made a call that failed",
  "run.ended": "ended its run",
  "run.started": "started a run",
  "run.message": "sent a message to a run",
  "run.paused": "paused a run",
  "run.resumed": "resumed a run",
  "run.cancelled": "cancelled a run",
  "run.completed": "completed a run",
  "run.deleted": "deleted a run",
  "schedule.created": "created a schedule",
  "schedule.changed": "changed a schedule",
  "schedule.deleted": "deleted a schedule",
  "schedule.fired": "started a run by a schedule",
  "schedule.failed": "could not start a scheduled run",
  "schedule.switched_off": "switched off a schedule",
  "workflow.hook_on": "turned on the webhook of a workflow",
  "workflow.hook_renewed": "renewed the secret of a workflow’s webhook",
  "workflow.hook_changed": "changed what a workflow gets from its webhook",
  "workflow.hook_off": "turned off the webhook of a workflow",
  "rule.started_workflow": "started a workflow by a rule",
  "rule.started_nothing": "could not start a workflow by a rule",
  "ask.answered": "answered an ask",
  "everything.paused": "paused everything",
  "everything.resumed": "resumed everything",
  "rules.saved": "saved the rules",
  "rules.stopped": "stopped auto-approvals",
  "rules.restarted": "allowed auto-approvals again",
  "agent.created": "created an agent",
  "agent.changed": "changed an agent",
  "agent.deleted": "deleted an agent",
  "model.tested": "tested a model",
  "allowance.given": "added an allowance",
  "allowance.revoked": "revoked an allowance",
  "mail.refused": "refused a reply by mail",
  "push.subscribed": "switched on push in a browser",
  "push.unsubscribed": "switched off push in a browser",
  "group.changed": "changed a group",
  "group.deleted": "deleted a group",
  "channel.created": "set up a channel",
  "channel.changed": "changed a channel",
  "channel.deleted": "deleted a channel",
  "channel.account_linked": "linked an account",
  "channel.account_unlinked": "unlinked an account",
  "channel.failed_repeated": "sent all failed messages again",
  "delivery.repeated": "sent a message again",
};

// What the answer was says more than that there was one.
const ANSWERS: Record<string, string> = { approved: "approved", denied: "denied", answered: "answered" };

interface AuditRecord {
  action: string;
  subject: string;
  run_id: string | null;
  data: Record<string, unknown>;
}

/** What was done, in words; an action without its own words is spelled out. */
export function actionWords({ action, data }: Pick<AuditRecord, "action" | "data">): string {
  const answer = action === "ask.answered" ? answerWords(data) : undefined;
  return answer ?? ACTIONS[action] ?? action.replaceAll(/[._]/g, " ");
}

/** An approval of something else than what was proposed is told as that. */
function answerWords(data: AuditRecord["data"]): string | undefined {
  const answer = ANSWERS[String(data.status)];
  if (data.status !== "approved") return answer;
  const edited = lengthOf(data.edited_steps);
  const changed = edited > 0 ? `, ${edited} of them changed` : "";
  if (lengthOf(data.left_out) > 0) return `approved ${data.steps} of ${data.steps_proposed} steps${changed}`;
  return edited > 0 || lengthOf(data.changed) > 0 ? "approved with changes" : answer;
}

const lengthOf = (value: unknown): number => (Array.isArray(value) ? value.length : 0);

/** All that may be done, for choosing; also what has no words, when somebody asked for it. */
export function actionChoices(chosen: string | undefined): { value: string; label: string }[] {
  const known = Object.entries(ACTIONS).map(([value, label]) => ({ value, label: capital(label) }));
  const other = chosen && !(chosen in ACTIONS) ? [{ value: chosen, label: chosen }] : [];
  return [{ value: "", label: "Anything" }, ...other, ...known.sort((a, b) => a.label.localeCompare(b.label))];
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);

/** Who did it: an agent by its name, a person by their address. */
export function actorWords(actor: string, agentNamed: (slug: string) => string): { name: string; isAgent: boolean } {
  const isAgent = actor.startsWith("agent:");
  return { name: isAgent ? agentNamed(actor.slice("agent:".length)) : actor, isAgent };
}

const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]+$/;

/** To what, as people know it. An id tells them nothing: it stands with the rest of the entry. */
export function subjectWords({ subject, data }: Pick<AuditRecord, "subject" | "data">): string {
  const name = data.title ?? data.name ?? data.tool ?? data.email ?? data.for;
  return typeof name === "string" ? name : ID.test(subject) ? "" : subject;
}

/** Where to see it: the ask itself, or the run that it happened in. */
export function placeOf({ action, subject, run_id }: AuditRecord): { askId: string } | { runId: string } | null {
  if (action.startsWith("ask.")) return { askId: subject };
  return run_id && action !== "run.deleted" ? { runId: run_id } : null;
}
