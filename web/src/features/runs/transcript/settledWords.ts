import type { Ask } from "@/api/types";
import { answerLabel } from "@/ui/domain/askOptions";
import { changesWords, decidersWords, letThroughWords, outcomeWords } from "@/ui/domain/askOutcomes";

/** How an ask was decided, by whom and why, in one line: the record of who allowed what. */
export function settledWords(ask: Ask, named: (label: string) => string): string {
  if (ask.status === "auto_approved") return letThroughWords(ask, named);
  if (ask.status === "expired") return "Nobody answered in time";
  const what = changesWords(ask, outcomeWords(ask).label, named) + decidersWords(ask, named);
  const why = said(ask) ?? ask.answer?.note;
  return why ? `${what}: ${why}` : what;
}

/** What was answered; a whole form is too long for one line. */
function said(ask: Ask): string | undefined {
  const value = ask.status === "answered" ? ask.answer?.value : null;
  return value == null || typeof value === "object" ? undefined : answerLabel(ask, value);
}
