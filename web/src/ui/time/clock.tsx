import { useSyncExternalStore } from "react";
import { serverNow } from "@/api/serverTime";
import { ago, countdown, duration, since } from "./duration";

/** One timer for every ticking thing on the page. */
let now = Date.now();
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

function tick(): void {
  now = Date.now();
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  now = Date.now();
  timer ??= setInterval(tick, 1000);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

/** The time of this device, each second: for what happens here. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

/** The time of the server, each second: for what it has dated. */
export const useServerNow = (): number => serverNow(useNow());

interface TimeProps {
  at: string;
}

function exact(at: string): string {
  return new Date(at).toLocaleString();
}

/** How long something has been waiting. */
export function Waiting({ at }: TimeProps) {
  return (
    <time className="num" dateTime={at} title={`Since ${exact(at)}`}>
      {duration(since(at, useServerNow()))}
    </time>
  );
}

export function Ago({ at }: TimeProps) {
  return (
    <time className="num" dateTime={at} title={exact(at)}>
      {ago(since(at, useServerNow()))}
    </time>
  );
}

/** The time left until a deadline. */
export function Countdown({ at }: TimeProps) {
  const left = (Date.parse(at) - useServerNow()) / 1000;
  return (
    <time className="num" dateTime={at} title={exact(at)}>
      {left > 0 ? `${countdown(left)} left` : "time is up"}
    </time>
  );
}
