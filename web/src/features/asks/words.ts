import type { Ask } from "@/api/types";
import type { IconName } from "@/ui/icons";
import type { Tone } from "@/ui/Tag";

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

const RISKS: Record<RiskLevel, { label: string; tone: Tone }> = {
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
export const kindWords = (ask: Ask) => KINDS[ask.kind as AskKind];
export const riskWords = (level: string) => RISKS[level as RiskLevel];
export const outcomeWords = (ask: Ask) => OUTCOMES[ask.status as Outcome];
