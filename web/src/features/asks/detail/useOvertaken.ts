import { type RefObject, useState } from "react";
import { useMe } from "@/api/me";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { outcomeWords } from "@/ui/domain/askOutcomes";
import { isTextField } from "@/ui/overlay/lostField";
import { isOpen, type Overtaken } from "../decision/decideProps";
import { type Person, refusalFor } from "../decision/mayDecide";
import type { Answering } from "../decision/useAnswer";
import { draftOf, dropDraft } from "../outbox/answerDrafts";
import { writtenText } from "./writtenText";

/**
 * Somebody writes about an ask, and meanwhile it is decided, changed or handed to others: the form and what is in it stay as
 * they were, until its author has taken the text along or given it up.
 */
export function useOvertaken(ask: Ask, answering: Answering, card: RefObject<HTMLElement | null>) {
  const me = useMe();
  const [state, setState] = useState(() => firstShown(me, ask));
  const isMine = answering.outgoing !== undefined || isOwn(me, ask);
  const now = next(me, state, ask, () => !isMine && isWriting(state.shown, card.current));
  if (now !== state) setState(now);
  const named = useMemberNames(now.isOvertaken);
  const { shown } = now;
  const overtaken: Overtaken | undefined = now.isOvertaken
    ? {
        words: overtakenWords(me, ask, shown, named),
        text: () => writtenText(shown, draftOf(shown)),
        leave: isOpen(ask) ? "Show it as it is now" : "Discard",
        onLeave: () => {
          // Of what only changed the words are still of use.
          if (!isOpen(ask)) dropDraft(ask.id);
          setState({ shown: ask, isOvertaken: false });
          card.current?.querySelector("h2")?.focus();
        },
      }
    : undefined;
  return { shown, overtaken };
}

interface Shown {
  /** The ask as the forms have it. */
  shown: Ask;
  isOvertaken: boolean;
}

function next(me: Person, state: Shown, ask: Ask, isWritten: () => boolean): Shown {
  const { shown, isOvertaken } = state;
  if (shown === ask || (isOvertaken && shown.id === ask.id)) return state;
  const wasFor = shown.id === ask.id && isFor(me, shown);
  const isOver = wasFor && (!isFor(me, ask) || shown.digest !== ask.digest);
  return isOver && isWritten() ? { shown, isOvertaken: true } : { shown: ask, isOvertaken: false };
}

const isFor = (me: Person, ask: Ask): boolean => isOpen(ask) && refusalFor(me, ask) === null;

/** Who comes back to what was decided meanwhile finds what they had written. */
function firstShown(me: Person, ask: Ask): Shown {
  const isOvertaken = !isOpen(ask) && !isOwn(me, ask) && writtenText(ask, draftOf(ask)) !== "";
  return { shown: isOvertaken ? { ...ask, status: "pending", answer: null, may_decide: true } : ask, isOvertaken };
}

function isOwn({ user }: Person, ask: Ask): boolean {
  if (!isOpen(ask)) return ask.settled_by === user.email;
  return ask.edited_by.at(-1) === user.email || ask.approvals.some(({ by }) => by === user.email);
}

function isWriting(shown: Ask, card: HTMLElement | null): boolean {
  const field = document.activeElement;
  // Comments go on, whatever becomes of the ask.
  const inForm = isTextField(field) && card?.contains(field) && !field.closest("[data-conversation]");
  return inForm || writtenText(shown, draftOf(shown)) !== "";
}

function overtakenWords(me: Person, ask: Ask, shown: Ask, named: (by: string) => string): string {
  if (isOpen(ask) && ask.digest !== shown.digest)
    return `${named(ask.edited_by.at(-1) ?? "Somebody")} changed this meanwhile.`;
  if (isOpen(ask)) return refusalFor(me, ask) ?? "";
  const outcome = outcomeWords(ask).label.toLowerCase();
  if (ask.status === "expired") return "This expired meanwhile.";
  if (ask.settled_by && ask.status !== "auto_approved") return `${named(ask.settled_by)} ${outcome} this meanwhile.`;
  return `This was ${outcome} meanwhile.`;
}
