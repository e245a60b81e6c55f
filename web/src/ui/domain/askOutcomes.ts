import type { Ask } from "@/api/types";
import type { IconName } from "../icons";
import type { Tone } from "../Tag";

type Outcome = "approved" | "auto_approved" | "answered" | "denied" | "expired" | "cancelled";

const OUTCOMES: Record<Outcome, { label: string; tone: Tone; icon: IconName }> = {
  approved: { label: "Approved", tone: "good", icon: "circle-check" },
  auto_approved: { label: "Approved by a rule", tone: "good", icon: "circle-check" },
  answered: { label: "Answered", tone: "good", icon: "circle-check" },
  denied: { label: "Denied", tone: "bad", icon: "circle-x" },
  expired: { label: "Expired", tone: "warn", icon: "clock" },
  cancelled: { label: "Cancelled", tone: "calm", icon: "ban" },
};
export const outcomeWords = (ask: Ask) => OUTCOMES[ask.status as Outcome];

/** How it ended, before "by": who changed it is named, unless the one who decided did it alone. */
export function changesWords(ask: Ask, label: string, named: (by: string) => string): string {
  if (ask.answer?.arguments == null) return label;
  const others = ask.edited_by.some((by) => by !== ask.settled_by);
  if (!others) return `${label} with changes`;
  return `Changed by ${ask.edited_by.map(named).join(", ")}, ${label.toLowerCase()}`;
}

/** Who decided: everybody whose signature counted, each with whom they signed for. */
export function decidersWords(ask: Ask, named: (by: string) => string): string {
  const of = (by: string, absent: string | null | undefined) => named(by) + (absent ? ` for ${named(absent)}` : "");
  const counted = ask.status === "approved" ? ask.approvals.filter(({ decision }) => decision !== "void") : [];
  const signed = counted.map(({ by, on_behalf_of }) => of(by, on_behalf_of));
  if (signed.length > 1) return ` by ${signed.slice(0, -1).join(", ")} and ${signed.at(-1)}`;
  return ask.settled_by ? ` by ${of(ask.settled_by, ask.answer?.on_behalf_of)}` : "";
}

/** Which rule let an ask through, and who applied it, where the ask waited already: `rule` is then the one that asked. */
export function letThroughWords({ rule, answer }: Ask, named: (by: string) => string): string {
  if (!answer?.applied_by) return rule ? `Allowed by rule ${rule}` : "Allowed by the rules";
  const by = answer.rule ? `rule ${answer.rule}` : "the current rules";
  return `Allowed by ${by}, applied by ${named(answer.applied_by)}`;
}

/** How an ask ended before somebody's answer came, from the state that a 409 carries. */
export function lateWords(state: Record<string, unknown>): string | null {
  const outcome = OUTCOMES[state.status as Outcome];
  if (!outcome) return null;
  const by = state.settled_by && state.status !== "auto_approved" ? ` by ${state.settled_by}` : "";
  const note = (state.answer as { note?: string } | null)?.note;
  return `It was already ${outcome.label.toLowerCase()}${by}.${note ? ` “${note}”` : ""}`;
}
