import { Checkbox } from "@mantine/core";
import { useState } from "react";
import type { Values } from "@/api/types";
import { Fields } from "@/ui/values/Values";
import { summary } from "@/ui/values/valueFormat";
import classes from "../ask.module.css";
import { ApproveBar } from "../decision/ApproveBar";
import { type DecideProps, isOpen } from "../decision/decideProps";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { batchToSend, leftIn } from "./callChoice";

interface BatchedCallsProps extends DecideProps {
  calls: unknown[];
  onEdit: (first?: Values) => void;
}

/** Many alike calls as one decision; what is not ticked is left out. */
export function BatchedCalls({ calls, onEdit, children, ...props }: BatchedCallsProps) {
  const [left, setLeft] = useState(() => leftIn(calls, draftOf(props.ask).arguments) ?? new Set<number>());
  const open = isOpen(props.ask);
  const count = calls.length - left.size;
  const toggle = (index: number) => {
    const next = new Set(left);
    if (!next.delete(index)) next.add(index);
    setLeft(next);
    keepDraft(props.ask, { decision: "approve", arguments: batchToSend(calls, next) ?? null });
  };
  return (
    <>
      <ol className={classes.plan} aria-label="Calls">
        {calls.map((call, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: calls have no identity but their place
          <li key={index} className={classes.step} data-left={left.has(index) || undefined}>
            <Checkbox
              checked={!left.has(index) && call !== null}
              disabled={!open || call === null}
              aria-label={`Call ${index + 1}: ${summary(call as Values)}`}
              onChange={() => toggle(index)}
            />
            <div className="grow">
              {call === null ? (
                <span className="dim">Left out</span>
              ) : (
                <details open={calls.length <= 4}>
                  <summary>
                    <code>{props.ask.tool}</code> <span className="dim">{summary(call as Values)}</span>
                  </summary>
                  <Fields values={Object.entries(call as Values)} />
                </details>
              )}
            </div>
          </li>
        ))}
      </ol>
      {children}
      {open && (
        <ApproveBar
          {...props}
          label={left.size === 0 ? `Approve all ${calls.length}` : `Approve ${count} of ${calls.length}`}
          disabled={count === 0}
          answer={{ arguments: batchToSend(calls, left) }}
          onEdit={() => onEdit(batchToSend(calls, left))}
          respond
          remember={!props.ask.test}
        />
      )}
    </>
  );
}
