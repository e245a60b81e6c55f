import type { Ask } from "@/api/types";
import { optionsOf, same } from "@/ui/domain/askOptions";
import { valueText } from "@/ui/values/valueText";
import { changesBetween } from "../arguments/argumentChanges";
import type { Draft } from "../outbox/answerDrafts";

/** What somebody wrote about an ask and has not sent, to take along: words, an answer, other arguments. */
export function writtenText(ask: Ask, { note, reason, value, arguments: values, steps }: Partial<Draft>): string {
  const words = [...new Set([note, reason])];
  const edits = values ? editWords(ask.arguments, values) : "";
  return [...words, answerText(ask, value), edits, ...stepTexts(ask, steps)]
    .filter((text) => text?.trim())
    .join("\n\n");
}

/** What was chosen rather than written is not worth a copy. */
function answerText(ask: Ask, value: unknown): string {
  const isChosen = typeof value === "boolean" || optionsOf(ask).some((option) => same(option.value, value));
  return value == null || isChosen || same(value, ask.default) ? "" : valueText(value, 2);
}

/** One value that was changed stands alone, several with their names. */
function editWords(before: unknown, after: unknown): string {
  const changes = changesBetween(before ?? {}, after).filter(({ modified }) => modified !== undefined);
  const [first, ...more] = changes;
  if (first && more.length === 0) return valueText(first.modified, 2);
  return changes.map(({ path, modified }) => `${path}: ${valueText(modified, 2)}`).join("\n");
}

function stepTexts(ask: Ask, steps: unknown[] | null | undefined): string[] {
  return (steps ?? []).flatMap((step) => {
    if (step === null || typeof step !== "object") return [];
    const { id, arguments: values } = step as { id: string; arguments: unknown };
    return [editWords(ask.plan?.steps.find((each) => each.id === id)?.arguments, values)];
  });
}
