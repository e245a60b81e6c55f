import { useEffect, useState } from "react";
import { onEvent } from "@/api/live/useLive";
import type { components } from "@/api/schema";
import type { Call } from "@/api/types";
import { progressWords } from "./callWords";

type CallProgress = components["schemas"]["CallProgress"];

const OVER = new Set(["succeeded", "failed", "denied", "unknown"]);

/** How far a call under way has come, in its tool's words. Nothing before it says so, and once it is over. */
export function useCallProgress({ id, status }: Pick<Call, "id" | "status">): string {
  const over = OVER.has(status);
  const [told, setTold] = useState<CallProgress>();
  useEffect(() => {
    if (over) return setTold(undefined);
    return onEvent((event) => {
      if (event.type === "call.progress" && event.data.call_id === id) setTold(event.data);
    });
  }, [id, over]);
  return told ? progressWords(told) : "";
}
