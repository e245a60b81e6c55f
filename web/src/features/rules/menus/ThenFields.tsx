import { Checkbox, NativeSelect } from "@mantine/core";
import type { Change } from "../ruleText/changeRule";
import type { Part } from "../ruleText/readRules";
import type { Verdict } from "../sentences/actionWords";
import { verdictOf } from "../sentences/ruleSentences";
import { many, part } from "../sentences/wordParts";
import { deedChanges, textKeys } from "./actions";
import { CommittedInput, CountField, WordsField } from "./fields";
import classes from "./menus.module.css";
import { type AskFieldsProps, SignerFields } from "./SignerFields";
import { TimeFields } from "./TimeFields";
import { EditInText } from "./WhenFields";

interface ThenFieldsProps extends AskFieldsProps {
  /** An auto-approval can do nothing else. */
  fixed: boolean;
  onGo: () => void;
}

/** What a rule does. */
export function ThenFields({ fixed, onGo, ...fields }: ThenFieldsProps) {
  const { action, onPut, onChanges } = fields;
  const verdict = verdictOf(action);
  const deed = (
    <NativeSelect
      size="sm"
      aria-label="What happens"
      disabled={fixed}
      value={verdict}
      data={[
        { value: "ask", label: "ask" },
        { value: "deny", label: "it never happens" },
        { value: "allow", label: "it runs without asking" },
      ]}
      onChange={(event) => onChanges(deedChanges(action, event.currentTarget.value as Verdict))}
    />
  );
  return (
    <fieldset className={classes.fields}>
      <legend>then</legend>
      {verdict === "ask" ? (
        <>
          <SignerFields {...fields}>{deed}</SignerFields>
          <TimeFields {...fields} onGo={onGo} />
          <NotificationFields {...fields} />
        </>
      ) : (
        <div className={classes.row}>
          {deed}
          {verdict === "deny" && (
            <CommittedInput
              className={classes.grow}
              aria-label="Why; the agent reads it"
              placeholder="Why (the agent reads it)"
              maxLength={300}
              value={String(action.reason ?? "")}
              onCommit={(reason) => onPut("reason", reason.trim() || undefined)}
            />
          )}
        </div>
      )}
      {verdict === "allow" && <ApprovalFields {...fields} onGo={onGo} />}
      {textKeys(verdict, action).map((key) => (
        <EditInText key={key} what={key} onGo={onGo} />
      ))}
    </fieldset>
  );
}

function NotificationFields({ action, people, channels, onPut }: AskFieldsProps) {
  const { channels: named, recipients } = part(action.notification);
  const put = (key: string, names: string[]) => {
    const { [key]: _, ...others } = part(action.notification);
    const next = names.length === 0 ? others : { ...others, [key]: names };
    onPut("notification", Object.keys(next).length === 0 ? undefined : next);
  };
  return (
    <div className={classes.row}>
      <span className={classes.lead}>tell</span>
      <WordsField
        label="Who is told"
        placeholder="whoever can sign"
        value={many(recipients).map(String)}
        offered={people}
        onChange={(names) => put("recipients", names)}
      />
      <span>by</span>
      <WordsField
        label="By which channels"
        placeholder="their own channels"
        value={many(named).map(String)}
        offered={channels}
        onChange={(names) => put("channels", names)}
      />
    </div>
  );
}

function ApprovalFields({ action, channels, onPut, onChanges, onGo }: AskFieldsProps & { onGo: () => void }) {
  const share = action.rollout_percentage;
  return (
    <>
      <div className={classes.row}>
        <span className={classes.lead}>for</span>
        {share !== undefined && typeof share !== "number" ? (
          <Growth share={part(share)} onPut={onPut} onGo={onGo} />
        ) : (
          <CountField
            label="Share of the calls"
            value={typeof share === "number" ? share : 100}
            min={0}
            max={100}
            suffix=" %"
            onChange={(next) => onPut("rollout_percentage", next === 100 ? undefined : next)}
          />
        )}
        <span>of them</span>
      </div>
      <div className={classes.row}>
        <Checkbox
          label="Tell people afterwards"
          checked={action.notify === true}
          onChange={(event) => {
            const notify = event.currentTarget.checked;
            onChanges([
              { path: ["action", "notify"], value: notify || undefined },
              ...(notify ? [] : [{ path: ["action", "notification_channels"], value: undefined } as Change]),
            ]);
          }}
        />
        {action.notify === true && (
          <WordsField
            label="By which channels"
            placeholder="their own channels"
            value={many(action.notification_channels).map(String)}
            offered={channels}
            onChange={(names) => onPut("notification_channels", names.length === 0 ? undefined : names)}
          />
        )}
      </div>
      <Checkbox
        label="Record each as an ask"
        checked={action.log_decision === true}
        onChange={(event) => onPut("log_decision", event.currentTarget.checked || undefined)}
      />
    </>
  );
}

/** A share that grows between two days. */
function Growth({ share, onPut, onGo }: { share: Part; onPut: AskFieldsProps["onPut"]; onGo: () => void }) {
  const { start = 0, target, from, until } = share;
  if (typeof start !== "number" || typeof target !== "number")
    return <EditInText what="rollout_percentage" onGo={onGo} />;
  const put = (next: Part) => onPut("rollout_percentage", { ...share, ...next });
  return (
    <>
      <CountField
        label="Share at first"
        value={start}
        min={0}
        max={100}
        suffix=" %"
        onChange={(next) => put({ start: next })}
      />
      <span>to</span>
      <CountField
        label="Share at last"
        value={target}
        min={0}
        max={100}
        suffix=" %"
        onChange={(next) => put({ target: next })}
      />
      <CommittedInput
        type="date"
        aria-label="From"
        value={String(from ?? "")}
        onCommit={(next) => put({ from: next })}
      />
      <CommittedInput
        type="date"
        aria-label="Until"
        value={String(until ?? "")}
        onCommit={(next) => put({ until: next })}
      />
    </>
  );
}
