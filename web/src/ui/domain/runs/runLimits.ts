import type { Agent } from "@/api/types";

/** Limits as they are typed; an empty text leaves the agent's own. */
export interface LimitTexts {
  hours: string;
  credits: string;
  iterations: string;
}

type LimitName = keyof LimitTexts;

export const LIMITS: { name: LimitName; label: string; least: number; most: number; step: number }[] = [
  { name: "hours", label: "Hours of work", least: 0, most: 24, step: 0.5 },
  { name: "credits", label: "Credits", least: 0, most: 1_000_000, step: 1 },
  { name: "iterations", label: "Steps", least: 1, most: 100_000, step: 1 },
];

export function ownLimits(own: Agent["limits"]): Record<LimitName, number> {
  return {
    hours: own?.max_duration_hours ?? 4,
    credits: own?.max_cost_credits ?? 100,
    iterations: own?.max_iterations ?? 500,
  };
}

export function limitProblem(name: LimitName, text: string): string | undefined {
  const { least, most } = LIMITS.find((each) => each.name === name) ?? { least: 0, most: 0 };
  if (text === "") return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < least || value > most) return `From ${least} to ${most.toLocaleString("en")}`;
  return name === "iterations" && !Number.isInteger(value) ? "A whole number" : undefined;
}

/** What was changed, as the API takes it. */
export function limitsGiven({ hours, credits, iterations }: LimitTexts) {
  const given = {
    ...(hours !== "" && { max_duration_hours: Number(hours) }),
    ...(credits !== "" && { max_cost_credits: Number(credits) }),
    ...(iterations !== "" && { max_iterations: Number(iterations) }),
  };
  return Object.keys(given).length > 0 ? given : null;
}

/** The limits in one sentence. */
export function limitWords(
  own: Agent["limits"],
  texts: LimitTexts = { hours: "", credits: "", iterations: "" },
): string {
  const defaults = ownLimits(own);
  const value = (name: LimitName) => (texts[name] === "" ? defaults[name] : Number(texts[name]));
  const hours = value("hours");
  const time = hours > 0 ? `${hours} ${hours === 1 ? "hour" : "hours"} of work` : null;
  const credits = value("credits");
  const cost = credits > 0 ? `${credits.toLocaleString("en")} ${credits === 1 ? "credit" : "credits"}` : null;
  const steps = `${value("iterations").toLocaleString("en")} steps`;
  const waiting = own?.waiting_counts ? "Waiting for people counts." : "Waiting for people does not count.";
  const ends = [time, cost, steps].filter(Boolean);
  const first = ends.length > 1 ? ", whichever comes first," : "";
  const listed = ends.join(", ").replace(/, ([^,]*)$/, " or $1");
  return `It stops after ${listed}${first} and keeps everything. ${time ? waiting : ""}`.trim();
}
