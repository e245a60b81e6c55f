import type { Tone } from "../Tag";

const VERDICTS: Record<string, { label: string; tone: Tone }> = {
  allow: { label: "Runs", tone: "good" },
  ask: { label: "Asks", tone: "warn" },
  deny: { label: "Denied", tone: "bad" },
};

export const verdictWords = (verdict: string): { label: string; tone: Tone } =>
  VERDICTS[verdict] ?? { label: verdict, tone: "calm" };
