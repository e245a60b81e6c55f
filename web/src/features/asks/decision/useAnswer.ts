import { useMe } from "@/api/me";
import type { Answer, Ask } from "@/api/types";
import { decide } from "../outbox/decide";
import { useOutgoingFor } from "../outbox/useOutbox";
import type { Overtaken } from "./decideProps";

/** Give one person's answer. It can be taken back for a moment; `onDecided` is called at once. */
export function useAnswer(ask: Ask, onDecided?: (ask: Ask) => void) {
  const me = useMe();
  const outgoing = useOutgoingFor(ask.id);
  return {
    send: (answer: Answer, alike?: Ask[]) => {
      decide(ask, answer, me, alike);
      onDecided?.(ask);
    },
    pending: outgoing !== undefined,
    outgoing,
  };
}

export type Answering = ReturnType<typeof useAnswer> & { overtaken?: Overtaken };
