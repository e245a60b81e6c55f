import { showNotice } from "@/ui/overlay/toast";
import { dropDraft, putDraft, startAgain } from "./answerDrafts";
import type { Outgoing } from "./outbox";
import { putTable } from "./tableDrafts";
import { outbox } from "./useOutbox";

/** How long a decision can be taken back; 0 sends it at once. */
export function undoSeconds(): number {
  const chosen = Number(localStorage.getItem("signoff.undo-seconds") ?? "5");
  return Number.isFinite(chosen) ? Math.min(Math.max(chosen, 0), 60) : 5;
}

/** Take a decision back; its card starts again from what was written. Says whether there is something to decide. */
export async function undo({ key, askId, title, answer, group, table }: Outgoing): Promise<boolean> {
  if (!group) putDraft(askId, answer);
  else if (table) putTable(group, table);
  const undone = await outbox.undo(key);
  if (undone === "undone") return true;
  if (undone === "taken") {
    dropDraft(askId);
    showNotice({
      title: `Too late to undo: ${title}`,
      message: "Your answer was already sent.",
      tone: "warn",
      to: askId,
    });
  }
  if (undone === "unknown")
    showNotice({
      title: `Undone here: ${title}`,
      message: "It may have been sent already. Check it once you're back online.",
      tone: "warn",
      stays: true,
      to: askId,
    });
  return undone === "unknown";
}

/** Give up what was not taken, and what was written for it. */
export async function forget({ key, askId }: Outgoing): Promise<void> {
  await outbox.undo(key);
  dropDraft(askId);
  startAgain(askId);
}
