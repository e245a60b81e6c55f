import type { Agent, Autonomy } from "@/api/types";

export const AUTONOMY: Record<Autonomy, { label: string; description: string }> = {
  full: { label: "Never ask", description: "Acts on its own; only rules can stop it" },
  approve_high_risk: { label: "Ask when risky", description: "Asks before it writes, sends, pays or deletes" },
  approve_milestones: { label: "Ask at milestones", description: "Stops for a review when a phase is done" },
  approve_all: { label: "Always ask", description: "Asks before every action" },
};

// From the strictest to the loosest, as the server orders them.
const LOOSER: Autonomy[] = ["approve_all", "approve_high_risk", "approve_milestones", "full"];

/** Whether a run would be freer than its agent, which is an admin's business. */
export const isLooser = (autonomy: Autonomy, { autonomy: own = "approve_high_risk" }: Agent): boolean =>
  LOOSER.indexOf(autonomy) > LOOSER.indexOf(own);

export const autonomyWords = ({ autonomy = "approve_high_risk" }: Agent) => AUTONOMY[autonomy];
