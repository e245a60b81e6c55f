import { useSyncExternalStore } from "react";
import { dropDrafts } from "./answerDrafts";
import { Outbox, type Outgoing } from "./outbox";
import { DELIVERY } from "./sendDecision";
import { dropTables } from "./tableDrafts";

export const outbox = new Outbox(DELIVERY);

/** Somebody signed in or out: what the one before decided or wrote here is not theirs. */
export function changeAuthor(user: string | null): void {
  // Whoever only had to sign in again goes on with what they wrote.
  if (!outbox.isOf(user)) {
    dropDrafts();
    dropTables();
  }
  outbox.belongTo(user);
}

const useAll = (): readonly Outgoing[] => useSyncExternalStore(outbox.subscribe, outbox.all);

/** What is decided and not there yet. */
export const useOutgoing = (): readonly Outgoing[] => useAll().filter(({ state }) => state !== "refused");

/** What the server did not take, until its author looks at it again. */
export const useRefused = (): readonly Outgoing[] => useAll().filter(({ state }) => state === "refused");

/** The decision about one ask that is on its way. */
export const useOutgoingFor = (askId: string): Outgoing | undefined =>
  useOutgoing().find((item) => item.askId === askId || (item.alike && askId in item.alike));

/** The asks that are decided and only about to be sent. */
export const useDecidedIds = (): ReadonlySet<string> =>
  new Set(useOutgoing().flatMap(({ askId, alike }) => [askId, ...Object.keys(alike ?? {})]));
