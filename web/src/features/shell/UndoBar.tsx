import { ActionIcon, Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useConnection } from "@/api/useLive";
import type { Outgoing } from "@/features/asks/outbox";
import { outbox, useOutgoing } from "@/features/asks/outgoing";
import { decisionWords } from "@/features/asks/words";
import { useMe } from "@/features/session/session";
import { useNow } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import { useKeys } from "@/ui/useKeys";
import classes from "./shell.module.css";

const RETRY_MS = 10_000;

/** Decisions that are about to be sent, each with a way back. */
export function UndoBar() {
  const navigate = useNavigate();
  const items = useOutgoing();
  useSending();
  const undo = ({ key, askId }: Outgoing) => {
    if (outbox.undo(key)) navigate({ to: "/asks/$askId", params: { askId } });
  };
  const last = items.findLast(({ state }) => state !== "sending");
  useKeys({ z: last && (() => undo(last)) });
  if (items.length === 0) return null;
  return (
    <section className={classes.undo} aria-label="Decisions on their way">
      {items.slice(-3).map((item) => (
        <div key={item.key} className={classes.undoItem} role="status">
          <span className="grow cut">
            <strong>{decisionWords(item.answer)}:</strong> {item.title}
          </span>
          <Left item={item} />
          {item.state !== "sending" && (
            <Button
              size="compact-sm"
              variant="white"
              color="dark"
              onClick={() => undo(item)}
              rightSection={<kbd>Z</kbd>}
            >
              Undo
            </Button>
          )}
          {item.state === "held" && (
            <ActionIcon
              size="sm"
              variant="transparent"
              color="gray.1"
              aria-label="Send now"
              onClick={() => outbox.sendNow(item.key)}
            >
              <Icon name="send" size={14} />
            </ActionIcon>
          )}
        </div>
      ))}
    </section>
  );
}

function Left({ item }: { item: Outgoing }) {
  const left = Math.max(0, Math.ceil((item.due - useNow()) / 1000));
  if (item.state === "kept") return <span className="small">kept</span>;
  return <span className="small num">{item.state === "held" ? `${left} s` : "sending"}</span>;
}

/** Send what was kept when Signoff is back, and what is held when the page closes. */
function useSending(): void {
  const { user } = useMe();
  const connection = useConnection();
  useEffect(() => {
    if (connection === "open") outbox.retry(user.id);
    const timer = setInterval(() => outbox.retry(user.id), RETRY_MS);
    const retry = () => outbox.retry(user.id);
    const leave = () => outbox.leave();
    window.addEventListener("online", retry);
    window.addEventListener("pagehide", leave);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", retry);
      window.removeEventListener("pagehide", leave);
    };
  }, [user.id, connection]);
}
