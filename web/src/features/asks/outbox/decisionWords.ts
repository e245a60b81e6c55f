import type { Answer, Ask } from "@/api/types";

/** What a decision says, in one or two words. */
export function decisionWords(answer: Answer): string {
  switch (answer.decision) {
    case "approve":
      return (answer.arguments || answer.steps ? "Approved with changes" : "Approved") + rememberedWords(answer);
    case "deny":
      return answer.end_run ? "Denied, run ended" : "Denied";
    case "respond":
      return "Answered";
  }
}

/** What an approval also says about later calls. */
function rememberedWords({ remember }: Answer): string {
  if (!remember) return "";
  if (remember === "rule") return ", and a rule suggested";
  const { scope, expires_in_hours: hours } =
    typeof remember === "string" ? { scope: remember, expires_in_hours: null } : remember;
  if (scope === "run") return ", and not asked again in this run";
  return `, and not asked again${hours ? ` for ${hours === 24 ? "1 day" : `${hours / 24} days`}` : ""}`;
}

export const signatures = (ask: Ask): number => ask.approvals.filter(({ decision }) => decision === "approve").length;

/** What one click does: where others must sign as well, it only signs. An edit voids the signatures before it. */
export function signLabel(ask: Ask, label: string, voids = false): string {
  if (voids && ask.four_eyes) return "Propose this change";
  const given = voids ? 0 : signatures(ask);
  if (ask.approvals_required - given <= 1) return label;
  return `${label.replace("Approve", "Sign")}, ${given + 1} of ${ask.approvals_required}`;
}

/** What somebody has done by an answer, as far as it is theirs to do: one signature of several approves nothing yet. */
export function doneWords(ask: Ask, answer: Answer): string {
  if (answer.decision !== "approve") return decisionWords(answer);
  const changed = Boolean(answer.arguments);
  if (changed && ask.four_eyes) return "Changed. Someone else must approve";
  const given = changed ? 0 : signatures(ask);
  if (ask.approvals_required - given <= 1) return decisionWords(answer);
  return `Signed ${given + 1} of ${ask.approvals_required}${changed ? ", with changes" : ""}`;
}
