import { Button } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { useMe } from "@/api/me";
import { useMemberNames } from "@/api/memberNames";
import { CopyButton } from "@/ui/CopyButton";
import { Icon } from "@/ui/icons";
import { keepClear } from "@/ui/overlay/keepClear";
import { useNow } from "@/ui/time/clock";
import classes from "../ask.module.css";
import { decisionWords } from "../outbox/decisionWords";
import type { Outgoing } from "../outbox/outbox";
import { undo } from "../outbox/undo";
import { outbox } from "../outbox/useOutbox";
import type { DecideProps, Overtaken } from "./decideProps";
import { refusalFor } from "./mayDecide";

interface DecisionBarProps extends Pick<DecideProps, "ask" | "answering"> {
  /** Stays at the bottom of the window. */
  sticky?: boolean;
  children: ReactNode;
}

/** Where the decision is made; then, for a moment, where it can be taken back. */
export function DecisionBar({ ask, answering, sticky = true, children }: DecisionBarProps) {
  const me = useMe();
  const refusal = refusalFor(me, ask);
  return (
    <div
      ref={sticky ? keepClear : undefined}
      className={sticky ? classes.bar : classes.form}
      data-overtaken={answering.overtaken && true}
    >
      {answering.outgoing ? (
        <OnItsWay outgoing={answering.outgoing} />
      ) : refusal ? (
        <p className="row small dim">
          <Icon name="user" size={15} /> {refusal}
        </p>
      ) : (
        <>
          {ask.decides_for && <DecidesFor absent={ask.decides_for} />}
          {children}
          {answering.overtaken && <NotSent {...answering.overtaken} />}
        </>
      )}
    </div>
  );
}

/** In the place of the buttons: there is nothing left to decide with what was written. */
function NotSent({ words, text, leave, onLeave }: Overtaken) {
  return (
    <div className={classes.notice}>
      <Icon name="triangle-alert" size={15} />
      <span className="grow" role="status">
        {words} What you wrote was not sent.
      </span>
      {text() !== "" && <CopyButton size="compact-sm" text={text} label="Copy your text" />}
      <Button size="compact-sm" variant="default" onClick={onLeave}>
        {leave}
      </Button>
    </div>
  );
}

function DecidesFor({ absent }: { absent: string }) {
  const named = useMemberNames();
  return <p className="small dim">{named(absent)} is away: you decide for them.</p>;
}

/** What has the focus goes away with a decision: whoever works by key or ear goes on from here. */
function useFocusAtFirst() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) place.current?.focus();
  }, []);
  return place;
}

function OnItsWay({ outgoing }: { outgoing: Outgoing }) {
  const place = useFocusAtFirst();
  return (
    <div className="row wrap" ref={place} tabIndex={-1}>
      <Icon name={outgoing.state === "kept" ? "wifi-off" : "check"} />
      <span className="grow">
        <span role="status">
          <strong>{outgoing.words ?? decisionWords(outgoing.answer)}.</strong>{" "}
          {outgoing.state === "sending" && "Sending…"}
          {outgoing.state === "kept" && KEPT[outgoing.waits ?? "connection"]}
        </span>
        {outgoing.state === "held" && <Left due={outgoing.due} />}
      </span>
      {outgoing.state !== "sending" && (
        <Button variant="default" onClick={() => undo(outgoing)}>
          Undo
        </Button>
      )}
      {outgoing.state === "held" && (
        <Button variant="subtle" color="gray" onClick={() => outbox.sendNow(outgoing.key)}>
          Send now
        </Button>
      )}
    </div>
  );
}

const KEPT: Record<NonNullable<Outgoing["waits"]>, string> = {
  connection: "Saved here. It's sent as soon as you're back online.",
  server: "The server is busy. Signoff keeps trying.",
  "sign-in": "You're signed out. Sign in to send it.",
};

/** It ticks, so it stands outside of what is read out. */
function Left({ due }: { due: number }) {
  return <span className="num"> Sent in {Math.max(0, Math.ceil((due - useNow()) / 1000))} s.</span>;
}
