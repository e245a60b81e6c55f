import { useEffect } from "react";
import { http } from "@/api/client";
import { useViewersVersion, viewersOf } from "@/api/live/viewers";
import { useMe } from "@/api/me";
import { useMemberNames } from "@/api/memberNames";
import { Icon } from "@/ui/icons";
import { useNow } from "@/ui/time/clock";

const EACH_MS = 15_000;
// Who only passes by need not be announced.
const FIRST_MS = 1_500;

/** Who else has this ask open; and the others are told of you. */
export function AskViewers({ askId }: { askId: string }) {
  const { user } = useMe();
  useViewersVersion();
  const others = viewersOf(askId, user.email, useNow());
  const named = useMemberNames(others.length > 0);
  useEffect(() => {
    const tell = () => {
      // Nobody needs to know when this fails.
      if (!document.hidden)
        http.POST("/api/asks/{ask_id}/viewing", { params: { path: { ask_id: askId } } }).catch(() => {});
    };
    const first = setTimeout(tell, FIRST_MS);
    const timer = setInterval(tell, EACH_MS);
    return () => {
      clearTimeout(first);
      clearInterval(timer);
    };
  }, [askId]);
  if (others.length === 0) return null;
  return (
    <span className="row small" style={{ gap: "0.3rem", color: "var(--info)" }} role="status">
      <Icon name="eye" size={14} /> {others.map(named).join(", ")} {others.length === 1 ? "is" : "are"} viewing
    </span>
  );
}
