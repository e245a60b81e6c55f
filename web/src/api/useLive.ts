import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type Connection, EventStream } from "./events";
import { Live } from "./live";

// A browser opens six connections to a server, so tabs that nobody looks at give theirs back.
const HIDDEN_MS = 5 * 60_000;

/** Follow the workspace's events for as long as the component lives; says how the connection is. */
export function useLive(): Connection {
  const queries = useQueryClient();
  const [connection, setConnection] = useState<Connection>("connecting");
  useEffect(() => {
    const live = new Live(queries);
    const stream = new EventStream({
      onEvent: (event) => live.apply(event),
      onConnection: (state) => {
        setConnection(state);
        if (state === "open") live.caughtUp(Date.now());
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
      clearTimeout(resting);
      document.removeEventListener("visibilitychange", onVisibility);
      stream.stop();
    };
  }, [queries]);
  return connection;
}
