import { useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { queries } from "@/api/client";
import { askKey, readAsk } from "@/api/live/askCache";
import { onEvent } from "@/api/live/useLive";
import type { Ask } from "@/api/types";
import { kindWords } from "@/ui/domain/askKinds";
import { hideToast, showToast } from "@/ui/overlay/toast";
import { piled, queued, wayFor, withoutSettled } from "./announcement";
import { notifyLater, shownHere } from "./browserNotification";
import { isDecidingIn, isTypingIn } from "./isTyping";
import { NewAskToast } from "./NewAskToast";

const loadDialog = () => import("./NewAskDialog");
const NewAskDialog = lazy(loadDialog);

/** What agents ask while the page is open: a modal in its run, a toast elsewhere, a notification in the background. */
export function NewAsks() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const latest = useRef(path);
  latest.current = path;
  const [queue, setQueue] = useState<Ask[]>([]);
  const toasts = useRef<Ask[]>([]);
  useEffect(
    () =>
      onEvent((event) => {
        if (event.type === "ask.settled") {
          const { id } = event.data.ask;
          hideToast(id);
          setQueue((waiting) => withoutSettled(waiting, id));
        }
        if (event.type === "ask.created")
          arrive(event.data.ask.id, () => latest.current, {
            modal: (ask) => setQueue((waiting) => queued(waiting, ask)),
            toast: (ask) => {
              const { kept, gone } = piled(toasts.current, ask);
              toasts.current = kept;
              for (const { id } of gone) hideToast(id);
              showAskToast(ask);
            },
          });
      }),
    [],
  );
  // Another page: the asks are in the inbox, and what the page shows by itself needs no toast.
  useEffect(() => {
    setQueue([]);
    for (const ask of toasts.current)
      if (wayFor(ask, { path, hidden: false, busy: false }) !== "toast") hideToast(ask.id);
  }, [path]);
  const [shown] = queue;
  if (!shown) return null;
  return (
    <Suspense>
      <NewAskDialog key={shown.id} ask={shown} onClose={() => setQueue((waiting) => waiting.slice(1))} />
    </Suspense>
  );
}

interface Ways {
  modal: (ask: Ask) => void;
  toast: (ask: Ask) => void;
}

async function arrive(askId: string, pathNow: () => string, show: Ways): Promise<void> {
  const query = { queryKey: askKey(askId), queryFn: () => readAsk(askId), staleTime: 5_000 };
  const ask = await queries.fetchQuery(query).catch(() => null);
  if (!ask) return;
  if (wayFor(ask, situation(ask, pathNow())) === "modal") await loadDialog();
  // Reading took a while, in which somebody may have gone elsewhere, or begun to decide where the page shows it.
  const way = wayFor(ask, situation(ask, pathNow()));
  if (way === "notification") return notifyLater(ask);
  shownHere(ask.id);
  if (way !== "nothing") show[way](ask);
}

function situation(ask: Ask, path: string) {
  const field = document.activeElement;
  return { path, hidden: document.hidden, busy: isTypingIn(field) || isDecidingIn(field, ask.id) };
}

/** It stays as long as its ask waits. */
function showAskToast(ask: Ask): void {
  showToast({
    id: ask.id,
    title: `${kindWords(ask).label} from ${ask.asked_by || ask.agent_name || "an agent"}`,
    message: <NewAskToast ask={ask} />,
    autoClose: false,
    color: "yellow.8",
  });
}
