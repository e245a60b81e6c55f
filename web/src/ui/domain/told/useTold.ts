import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { onEvent } from "@/api/live/useLive";
import { useMay } from "@/api/roles";
import { serverNow } from "@/api/serverTime";
import { lookAgainMs, toldOf } from "./toldWords";

const NEWS = new Set(["ask.created", "ask.updated", "ask.settled", "notification.created", "run.ended"]);

interface About {
  of: { ask: string } | { run: string };
  runId: string | null;
  /** When there was last something to tell. */
  since: string;
}

/** What was sent outside about an ask or a run. */
export function useTold({ of, runId, since }: About) {
  const [newsAt, setNewsAt] = useState(() => Date.parse(since));
  // No event says that something was sent: after what is told of, it is read again until all of it is.
  useEffect(
    () =>
      onEvent((event) => {
        if (event.run_id === runId && NEWS.has(event.type)) setNewsAt(serverNow());
      }),
    [runId],
  );
  const query = api.useQuery(
    "get",
    "/api/deliveries",
    { params: { query: { ...of, limit: 50 } } },
    {
      enabled: useMay("member"),
      // It is read without anybody having asked: the page says by itself that a session has ended.
      meta: { unasked: true },
      refetchInterval: ({ state }) => lookAgainMs(state.data?.items ?? [], newsAt, serverNow()),
    },
  );
  return { ...query, told: toldOf(query.data?.items ?? []) };
}
