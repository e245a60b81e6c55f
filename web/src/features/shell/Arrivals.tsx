import { useRouterState } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useRef, useState } from "react";
import { http, queries } from "@/api/client";
import type { AskBrief } from "@/api/events";
import type { Ask } from "@/api/types";
import { onEvent } from "@/api/useLive";
import { askKey } from "@/features/asks/cache";
import { kindWords } from "@/features/asks/words";
import { hideToast, showToast } from "@/ui/toast";
import { ArrivalToast } from "./ArrivalToast";
import { wayFor } from "./arrivals";
import { notifyLater, shownHere } from "./notify";

const ArrivedAsk = lazy(() => import("./ArrivedAsk"));

/** What agents ask while the page is open: a modal in its run, a toast elsewhere, a notification in the background. */
export function Arrivals() {
  const path = useRouterState({ select: (state) => state.location.pathname });
  const latest = useRef(path);
  latest.current = path;
  const [shown, setShown] = useState<Ask | null>(null);
  useEffect(
    () =>
      onEvent(({ type, data }) => {
        const brief = data.ask as AskBrief | undefined;
        if (type === "ask.settled" && brief) hideToast(brief.id);
        if (type === "ask.created" && brief) arrive(brief.id, latest.current, setShown);
      }),
    [],
  );
  // Another page: the ask is in the inbox.
  useEffect(() => {
    if (path) setShown(null);
  }, [path]);
  if (!shown) return null;
  return (
    <Suspense>
      <ArrivedAsk ask={shown} onClose={() => setShown(null)} />
    </Suspense>
  );
}

async function arrive(askId: string, path: string, show: (ask: Ask) => void): Promise<void> {
  const read = async () => (await http.GET("/api/asks/{ask_id}", { params: { path: { ask_id: askId } } })).data as Ask;
  const ask = await queries.fetchQuery({ queryKey: askKey(askId), queryFn: read, staleTime: 5_000 }).catch(() => null);
  if (!ask) return;
  const way = wayFor(ask, { path, hidden: document.hidden, typing: isTyping() });
  if (way === "notification") return notifyLater(ask);
  shownHere(ask.id);
  if (way === "modal") show(ask);
  if (way === "toast")
    showToast({
      id: ask.id,
      title: `${kindWords(ask).label} from ${ask.agent_name || "an agent"}`,
      message: <ArrivalToast ask={ask} />,
      autoClose: 15_000,
      color: "yellow.8",
    });
}

function isTyping(): boolean {
  const field = document.activeElement;
  return (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== "";
}
