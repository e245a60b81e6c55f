import type { Answer, Ask } from "@/api/types";
import type { IconName } from "../icons";
import type { Tone } from "../Tag";
import { answerLabel } from "./choices";

export type AskKind = "approval" | "question" | "clarification" | "plan" | "milestone" | "budget" | "recovery";
export type RiskLevel = "low" | "medium" | "high" | "critical";
type Outcome = "approved" | "auto_approved" | "answered" | "denied" | "expired" | "cancelled";

interface KindWords {
  label: string;
  plural: string;
  icon: IconName;
}

export const KINDS: Record<AskKind, KindWords> = {
  approval: { label: "Approval", plural: "Approvals", icon: "circle-check" },
  question: { label: "Question", plural: "Questions", icon: "circle-help" },
  clarification: { label: "Clarification", plural: "Clarifications", icon: "message-square" },
  plan: { label: "Plan", plural: "Plans", icon: "list-checks" },
  milestone: { label: "Milestone", plural: "Milestones", icon: "flag" },
  budget: { label: "Budget", plural: "Budgets", icon: "hourglass" },
  recovery: { label: "Recovery", plural: "Recoveries", icon: "repeat" },
};

export const RISKS: Record<RiskLevel, { label: string; tone: Tone }> = {
  low: { label: "Low risk", tone: "calm" },
  medium: { label: "Medium risk", tone: "warn" },
  high: { label: "High risk", tone: "hot" },
  critical: { label: "Critical risk", tone: "bad" },
};

const OUTCOMES: Record<Outcome, { label: string; tone: Tone; icon: IconName }> = {
  approved: { label: "Approved", tone: "good", icon: "circle-check" },
  auto_approved: { label: "Approved by a rule", tone: "good", icon: "circle-check" },
  answered: { label: "Answered", tone: "good", icon: "circle-check" },
  denied: { label: "Denied", tone: "bad", icon: "circle-x" },
  expired: { label: "Expired", tone: "warn", icon: "clock" },
  cancelled: { label: "Cancelled", tone: "calm", icon: "ban" },
};

export const isKind = (kind: unknown): kind is AskKind => typeof kind === "string" && kind in KINDS;
export const isRisk = (level: unknown): level is RiskLevel => typeof level === "string" && level in RISKS;
export const kindWords = (ask: Ask) => KINDS[ask.kind as AskKind];
export const riskWords = (level: string) => RISKS[level as RiskLevel];
export const outcomeWords = (ask: Ask) => OUTCOMES[ask.status as Outcome];

/** How it ended, before "by": who changed it is named, unless the one who decided did it alone. */
export function changesWords(ask: Ask, label: string, named: (by: string) => string): string {
  if (ask.answer?.arguments == null) return label;
  const others = ask.edited_by.some((by) => by !== ask.settled_by);
  if (!others) return `${label} with changes`;
  return `Changed by ${ask.edited_by.map(named).join(", ")}, ${label.toLowerCase()}`;
}

/** What a decision says, in one or two words. */
export function decisionWords(answer: Answer): string {
  switch (answer.decision) {
    case "approve":
      return answer.arguments || answer.steps ? "Approved with changes" : "Approved";
    case "deny":
      return answer.end_run ? "Denied, run ended" : "Denied";
    case "respond":
      return "Answered";
  }
}

/** How an ask ended before somebody's answer came, from the state that a 409 carries. */
export function lateWords(state: Record<string, unknown>): string | null {
  const outcome = OUTCOMES[state.status as Outcome];
  if (!outcome) return null;
  const by = state.settled_by ? ` by ${state.settled_by}` : "";
  const note = (state.answer as { note?: string } | null)?.note;
  return `It was ${outcome.label.toLowerCase()}${by} before.${note ? ` “${note}”` : ""}`;
}

/** What happens when nobody answers in time. */
export function timeoutWords(ask: Ask): string | null {
  switch (ask.on_timeout) {
    case "default":
      return ask.default == null
        ? "then it takes its default answer"
        : `then it takes ${short(answerLabel(ask, ask.default))}`;
    case "deny":
      return "then it counts as denied";
    case "cancel":
      return "then the run is cancelled";
    case "fail":
      return "then the run fails";
    case "escalate":
      return "then somebody else is told";
    default:
      return null;
  }
}

const MINUTE = 60;
const short = (text: string): string => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** How loud a countdown is, by the seconds that are left. */
export function urgency(left: number): "calm" | "soon" | "now" {
  if (left >= 5 * MINUTE) return "calm";
  return left >= MINUTE ? "soon" : "now";
}
