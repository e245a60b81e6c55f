import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Connection, EventStream } from "./events";
import { Live } from "./live";

// A browser opens six connections to a server, so tabs that nobody looks at give theirs back.
const HIDDEN_MS = 5 * 60_000;
// A stream that is opened for the first time begins "from now on", and the server's "now" comes a little after the
// browser's. What happened in between is in no event, so it is read once more.
const GAP_MS = 1_500;

/** Follow the workspace's events for as long as the component lives; says how the connection is. */
export function useLive(): Connection {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    const live = new Live(queries);
    let gap: ReturnType<typeof setTimeout> | undefined;
    const stream = new EventStream({
      onEvent: (event) => live.apply(event),
      onConnection: (state) => {
        setConnection(state);
        if (state !== "open") return;
        live.caughtUp(Date.now());
        gap ??= setTimeout(() => live.caughtUp(Date.now()), GAP_MS);
      },
    });
    let resting: ReturnType<typeof setTimeout> | undefined;
    const onVisibility = () => {
      clearTimeout(resting);
      if (document.hidden) resting = setTimeout(() => stream.stop(), HIDDEN_MS);
      else stream.start();
    };
    stream.start();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      clearTimeout(gap);
      clearTimeout(resting);
      document.removeEventListener("visibilitychange", onVisibility);
      stream.stop();
    };
  }, [queries]);
  return connection;
}
