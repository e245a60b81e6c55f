import type { Ask } from "@/api/types";
import type { IconName } from "../icons";

export type AskKind = "approval" | "question" | "clarification" | "plan" | "milestone" | "budget" | "recovery";

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

export const isKind = (kind: unknown): kind is AskKind => typeof kind === "string" && kind in KINDS;

export const kindWords = (ask: Ask) => KINDS[ask.kind as AskKind];
