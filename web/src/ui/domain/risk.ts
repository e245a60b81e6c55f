import type { Tone } from "../Tag";

export type RiskLevel = "low" | "medium" | "high" | "critical";

export const RISKS: Record<RiskLevel, { label: string; tone: Tone }> = {
  low: { label: "Low risk", tone: "calm" },
  medium: { label: "Medium risk", tone: "warn" },
  high: { label: "High risk", tone: "hot" },
  critical: { label: "Critical risk", tone: "bad" },
};

export const isRisk = (level: unknown): level is RiskLevel => typeof level === "string" && level in RISKS;

export const riskWords = (level: string) => RISKS[level as RiskLevel];
