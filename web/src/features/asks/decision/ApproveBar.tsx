import { Button, Textarea } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMe } from "@/api/me";
import type { Answer } from "@/api/types";
import { Icon } from "@/ui/icons";
import { useRead } from "@/ui/overlay/useRead";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import classes from "../ask.module.css";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { signLabel } from "../outbox/decisionWords";
import { DecisionBar } from "./DecisionBar";
import { DenyForm } from "./DenyForm";
import type { DecideProps } from "./decideProps";
import { type Extra, ExtraActions } from "./ExtraActions";
import { barFor, refusalFor } from "./mayDecide";
import type { Remembered } from "./RememberChoices";
import { ReplyForm } from "./ReplyForm";

interface ApproveBarProps extends Omit<DecideProps, "children"> {
  label?: string;
  /** What goes along with an approval: arguments, steps or a value. */
  answer?: Partial<Answer>;
  /** It cannot be approved as it stands. */
  disabled?: boolean;
  onEdit?: () => void;
  /** Words to the agent are possible in place of a decision. */
  respond?: boolean;
  remember?: boolean;
  /** The answer gives a plan or a phase back, rather than ending one call. */
  denyWords?: string;
}

const RememberChoices = lazy(() => import("./RememberChoices"));

type Mode = "look" | "deny" | "respond";

/** Yes, or no with a reason; with a note and what to remember, where wanted. */
export function ApproveBar(props: ApproveBarProps) {
  const { ask, answering, shortcuts, label = "Approve", answer, disabled, onEdit, respond, remember } = props;
  const read = useRead(shortcuts && props.cameByItself === true);
  const [written] = useState(() => draftOf(ask));
  const [mode, setMode] = useState<Mode>(() => modeOf(written));
  const [note, setNote] = useState<string | null>(written.decision === "approve" ? (written.note ?? null) : null);
  const [remembering, setRemembering] = useState(false);
  const me = useMe();
  const may = refusalFor(me, ask) === null;
  const barred = barFor(me, ask);
  const send = (kept: { remember?: Remembered }) =>
    answering.send({ decision: "approve", ...answer, note: note?.trim() || null, ...kept });
  const approve = () => send({});
  const look = () => {
    keepDraft(ask, { decision: "approve", note });
    setMode("look");
  };
  const ready = shortcuts && may && mode === "look" && !remembering && !answering.pending;
  useShortcutKeys({
    // The same key pressed twice decides one ask, not the next one unread. The other keys only open something.
    a: ready && read && !disabled && !barred ? approve : undefined,
    d: ready ? () => setMode("deny") : undefined,
    e: ready && !barred ? onEdit : undefined,
  });
  const extras: Extra[] = [
    ...(respond ? [{ label: "Reply instead", act: () => setMode("respond") }] : []),
    ...(note === null ? [{ label: "Add a note", act: () => setNote("") }] : []),
    ...(remember && !disabled ? [{ label: "Don't ask again…", act: () => setRemembering(true) }] : []),
  ];
  return (
    <DecisionBar ask={ask} answering={answering}>
      {mode === "deny" && <DenyForm ask={ask} answering={answering} words={props.denyWords} onBack={look} />}
      {mode === "respond" && (
        <ReplyForm
          label="Your reply to the agent. The call won't run."
          action="Send reply"
          first={wordsIn(draftOf(ask))}
          onBack={look}
          onWrite={(value) => keepDraft(ask, { decision: "respond", value })}
          onSend={(text) => answering.send({ decision: "respond", value: text })}
        />
      )}
      {mode === "look" && (
        <>
          {barred && <p className="small dim">{barred}</p>}
          {remembering && (
            <Suspense>
              <RememberChoices
                ask={ask}
                onClose={() => setRemembering(false)}
                onApprove={(kept) => {
                  setRemembering(false);
                  send({ remember: kept });
                }}
              />
            </Suspense>
          )}
          {note !== null && (
            <Textarea
              label="Note (optional)"
              autosize
              minRows={1}
              maxRows={6}
              autoFocus={!written.note}
              value={note}
              onChange={({ currentTarget: { value } }) => {
                setNote(value);
                keepDraft(ask, { decision: "approve", note: value });
              }}
            />
          )}
          <div className={classes.buttons}>
            {!barred && (
              <Button
                data-main
                leftSection={<Icon name="check" />}
                {...keyed(shortcuts && read, "A")}
                disabled={disabled}
                onClick={approve}
              >
                {signLabel(ask, label, Boolean(answer?.arguments))}
              </Button>
            )}
            {onEdit && !barred && (
              <Button
                data-main
                variant="default"
                leftSection={<Icon name="pencil" size={14} />}
                {...keyed(shortcuts, "E")}
                onClick={onEdit}
              >
                Edit
              </Button>
            )}
            <Button
              data-main
              variant="default"
              leftSection={<Icon name="x" />}
              {...keyed(shortcuts, "D")}
              onClick={() => setMode("deny")}
            >
              {ask.veto ? "Object" : "Deny"}
            </Button>
            {!barred && <ExtraActions extras={extras} />}
          </div>
        </>
      )}
    </DecisionBar>
  );
}

/** The key stands beside the words, and is no part of the button's name. */
const keyed = (shown: boolean, key: string) =>
  shown ? { rightSection: <kbd aria-hidden>{key}</kbd>, "aria-keyshortcuts": key } : {};

const wordsIn = ({ value }: Partial<Answer>): string | undefined => (typeof value === "string" ? value : undefined);

/** Where somebody was when they left, or took it back. */
function modeOf({ decision, value }: Partial<Answer>): Mode {
  if (decision === "deny") return "deny";
  return decision === "respond" && value ? "respond" : "look";
}
