import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useMe } from "@/features/session/session";
import { useNow } from "@/ui/clock";
import { Icon } from "@/ui/icons";
import classes from "./ask.module.css";
import type { DecideProps } from "./decide";
import { refusalFor } from "./may";
import type { Outgoing } from "./outbox";
import { outbox } from "./outgoing";
import { decisionWords } from "./words";

interface BarProps extends Pick<DecideProps, "ask" | "answering"> {
  /** Stays at the bottom of the window. */
  sticky?: boolean;
  children: ReactNode;
}

/** Where the decision is made; then, for a moment, where it can be taken back. */
export function Bar({ ask, answering, sticky = true, children }: BarProps) {
  const me = useMe();
  const refusal = refusalFor(me, ask);
  return (
    <div className={sticky ? classes.bar : classes.form}>
      {answering.outgoing ? (
        <OnItsWay outgoing={answering.outgoing} />
      ) : refusal ? (
        <p className="row small dim">
          <Icon name="user" size={15} /> {refusal}
        </p>
      ) : (
        children
      )}
    </div>
  );
}

export function OnItsWay({ outgoing }: { outgoing: Outgoing }) {
  const left = Math.max(0, Math.ceil((outgoing.due - useNow()) / 1000));
  const words = decisionWords(outgoing.answer);
  return (
    <div className="row wrap" role="status">
      <Icon name={outgoing.state === "kept" ? "wifi-off" : "check"} />
      <span className="grow">
        <strong>{words}.</strong> {outgoing.state === "held" && `Sent in ${left} s.`}
        {outgoing.state === "sending" && "Sending …"}
        {outgoing.state === "kept" && "Kept here, and sent as soon as Signoff can be reached."}
      </span>
      {outgoing.state !== "sending" && (
        <Button variant="default" onClick={() => outbox.undo(outgoing.key)}>
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
