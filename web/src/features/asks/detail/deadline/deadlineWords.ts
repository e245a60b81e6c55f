import type { Ask } from "@/api/types";
import { answerLabel } from "@/ui/domain/askOptions";

/** What happens when nobody answers in time. */
export function timeoutWords(ask: Ask): string | null {
  switch (ask.on_timeout) {
    case "default":
      return ask.default == null
        ? "then it uses its default answer"
        : `then it uses ${short(answerLabel(ask, ask.default))}`;
    case "deny":
      return "then it counts as denied";
    case "cancel":
      return "then the run is cancelled";
    case "fail":
      return "then the run fails";
    case "escalate":
      return "then it goes to someone else";
    case "approve":
      return "then it runs, unless someone objects";
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
