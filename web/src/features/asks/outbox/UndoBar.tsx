import { ActionIcon, Button, VisuallyHidden } from "@mantine/core";
import { Link, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect } from "react";
import { followIdentity, identityOf } from "@/api/identity";
import { useConnection } from "@/api/live/useLive";
import { useMe } from "@/api/me";
import { Icon } from "@/ui/icons";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { useNow } from "@/ui/time/clock";
import { MOST } from "./batchAnswers";
import { decisionWords } from "./decisionWords";
import type { Outgoing } from "./outbox";
import { forget, undo } from "./undo";
import classes from "./undoBar.module.css";
import { outbox, useOutgoing, useRefused } from "./useOutbox";

const RETRY_MS = 10_000;
const SHOWN = 3;

/** Decisions that are about to be sent, each with a way back; and those that were not taken. */
export function UndoBar() {
  const navigate = useNavigate();
  const going = useOutgoing();
  const refused = useRefused();
  useSending();
  const lookAgain = async (item: Outgoing) => {
    if (!(await undo(item))) return;
    if (item.group) navigate({ to: "/inbox", search: (before) => ({ ...before, view: undefined, group: item.group }) });
    else navigate({ to: "/asks/$askId", params: { askId: item.askId } });
  };
  const last = going.findLast(({ state }) => state !== "sending");
  useShortcutKeys({ z: last && (() => lookAgain(last)) });
  const items = [...refused, ...going];
  const more = items.length - SHOWN;
  if (items.length === 0) return null;
  return (
    <section className={classes.bar} aria-label="Decisions on their way" data-leaving={Math.min(items.length, SHOWN)}>
      {more > 0 && <div className={classes.more}>and {more} more</div>}
      {items
        .slice(-SHOWN)
        .map((item) =>
          item.state === "refused" ? (
            <Refused key={item.key} item={item} onLook={() => lookAgain(item)} />
          ) : (
            <Going key={item.key} item={item} onUndo={() => lookAgain(item)} />
          ),
        )}
    </section>
  );
}

function Going({ item, onUndo }: { item: Outgoing; onUndo: () => void }) {
  return (
    <div className={classes.item}>
      <span className="grow cut" role="status">
        <strong>{item.words ?? decisionWords(item.answer)}:</strong> {item.title}
        {item.state === "kept" && <VisuallyHidden>, saved here</VisuallyHidden>}
      </span>
      <Left item={item} />
      {item.state !== "sending" && (
        <Button size="compact-sm" variant="white" color="dark" onClick={onUndo} rightSection={<kbd>Z</kbd>}>
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
  );
}

function Refused({ item, onLook }: { item: Outgoing; onLook: () => void }) {
  return (
    <div className={classes.item}>
      <span className="grow cut" role="status" title={item.problem}>
        <strong>Not accepted:</strong> {item.title}
      </span>
      <Button size="compact-sm" variant="white" color="dark" onClick={onLook}>
        Review
      </Button>
      <ActionIcon size="sm" variant="transparent" color="gray.1" aria-label="Discard" onClick={() => forget(item)}>
        <Icon name="x" size={14} />
      </ActionIcon>
    </div>
  );
}

/** A large batch goes out in parts. */
function sendingWords({ alike, sent = 0 }: Outgoing): string {
  const all = Object.keys(alike ?? {}).length + 1;
  return all > MOST ? `sending, ${sent.toLocaleString("en")} of ${all.toLocaleString("en")}` : "sending";
}

/** It ticks, so it stands outside of what is read out. */
function Left({ item }: { item: Outgoing }) {
  const here = useRouterState({ select: ({ location }) => location.href });
  const left = Math.max(0, Math.ceil((item.due - useNow()) / 1000));
  if (item.waits === "sign-in" && item.state === "kept")
    return (
      <Link className="small" to="/sign-in" search={{ to: here }}>
        Sign in to send it
      </Link>
    );
  if (item.state === "kept") return <span className="small">saved here</span>;
  return <span className="small num">{item.state === "held" ? `${left} s` : sendingWords(item)}</span>;
}

/** Send what was kept when Signoff is back, and what is held when the page closes or goes out of sight. */
function useSending(): void {
  const identity = identityOf(useMe());
  const connection = useConnection();
  useEffect(() => {
    outbox.belongTo(identity);
    const retry = () => outbox.retry();
    if (connection === "open") retry();
    const timer = setInterval(retry, RETRY_MS);
    const leave = () => outbox.leave();
    // A phone that is locked freezes the page without closing it.
    const hide = () => document.hidden && leave();
    const heard = () => outbox.heard();
    window.addEventListener("online", retry);
    window.addEventListener("pagehide", leave);
    window.addEventListener("storage", heard);
    document.addEventListener("visibilitychange", hide);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", retry);
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("storage", heard);
      document.removeEventListener("visibilitychange", hide);
    };
  }, [identity, connection]);
  useEffect(() => followIdentity(identity), [identity]);
}
