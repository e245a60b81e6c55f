import { NativeSelect } from "@mantine/core";
import type { Part } from "../ruleText/readRules";
import { bound, COMPARED } from "../sentences/conditionWords";
import { many, part } from "../sentences/wordParts";
import { type Choice, type Condition, fittingValue, typedValue } from "./conditions";
import { CommittedInput, CountField, WordsField } from "./fields";

interface ConditionRowProps {
  condition: Condition;
  choice: Choice;
  offered: string[];
  onChange: (value: unknown) => void;
}

/** What a condition compares with, by its kind. What stands before it is the row's own label. */
export function ConditionValue({ condition: { value, kind }, choice, offered, onChange }: ConditionRowProps) {
  switch (kind) {
    case "words":
      return (
        <>
          <span>is</span>
          <WordsField label={choice.label} value={many(value).map(String)} offered={offered} onChange={onChange} />
        </>
      );
    case "yesNo":
      return (
        <NativeSelect
          size="sm"
          aria-label={choice.label}
          value={String(value)}
          data={[
            { value: "true", label: "is true" },
            { value: "false", label: "is false" },
          ]}
          onChange={(event) => onChange(event.currentTarget.value === "true")}
        />
      );
    case "figure":
      return <Figure label={choice.label} percent={choice.key === "confidence"} value={value} onChange={onChange} />;
    case "field":
      return <Field value={part(value)} onChange={onChange} />;
    case "hours":
      return <Hours label={choice.label} value={part(value)} onChange={onChange} />;
    case "text":
      return null;
  }
}

interface FigureProps {
  label: string;
  percent: boolean;
  value: unknown;
  onChange: (value: unknown) => void;
}

const ORDERS = [">", ">=", "<", "<=", "==", "!="];
const orders = (words: string[]) => words.map((value) => ({ value, label: COMPARED[value] ?? value }));

function Figure({ label, percent, value, onChange }: FigureProps) {
  const [operator, limit] = bound(value);
  const put = (next: { operator?: string; value?: number }) => {
    const made = { operator, value: limit, ...next };
    onChange(typeof value === "string" ? `${made.operator} ${made.value}` : made);
  };
  return (
    <>
      <NativeSelect
        size="sm"
        aria-label={`${label}: comparison`}
        value={operator === "=" ? "==" : operator}
        data={orders(ORDERS)}
        onChange={(event) => put({ operator: event.currentTarget.value })}
      />
      <CountField
        label={label}
        value={percent ? Math.round(limit * 1000) / 10 : limit}
        min={0}
        max={percent ? 100 : 1e9}
        suffix={percent ? " %" : undefined}
        onChange={(next) => put({ value: percent ? Math.round(next * 10) / 1000 : next })}
      />
    </>
  );
}

const OPERATORS = [...orders([...ORDERS, "in", "not_in", "like", "contains", "starts_with", "ends_with"])];

function Field({ value, onChange }: { value: Part; onChange: (value: unknown) => void }) {
  const { field, operator, value: limit } = value;
  const word = operator === "=" ? "==" : String(operator);
  const put = (next: Part) => onChange({ ...value, ...next });
  return (
    <>
      <CommittedInput
        aria-label="Field"
        placeholder="amount"
        value={String(field)}
        onCommit={(next) => put({ field: next.trim() })}
      />
      <NativeSelect
        size="sm"
        aria-label={`${field}: comparison`}
        value={word}
        data={[...OPERATORS, { value: "exists", label: limit === false ? "is missing" : "is given" }]}
        onChange={(event) => {
          const next = event.currentTarget.value;
          put({ operator: next, value: fittingValue(next, limit) });
        }}
      />
      <Limit label={`${field}: value`} operator={word} value={limit} onChange={(next) => put({ value: next })} />
    </>
  );
}

interface LimitProps {
  label: string;
  operator: string;
  value: unknown;
  onChange: (value: unknown) => void;
}

function Limit({ label, operator, value, onChange }: LimitProps) {
  if (operator === "exists")
    return (
      <NativeSelect
        size="sm"
        aria-label={label}
        value={String(value !== false)}
        data={[
          { value: "true", label: "yes" },
          { value: "false", label: "no" },
        ]}
        onChange={(event) => onChange(event.currentTarget.value === "true")}
      />
    );
  if (["in", "not_in", "like"].includes(operator))
    return (
      <WordsField
        label={label}
        value={many(value).map(String)}
        offered={[]}
        onChange={(next) => onChange(operator === "like" ? next : next.map(typedValue))}
      />
    );
  const searches = ["contains", "starts_with", "ends_with"].includes(operator);
  return (
    <CommittedInput
      aria-label={label}
      value={value === undefined || value === null ? "" : String(value)}
      onCommit={(next) => onChange(searches ? next : typedValue(next))}
    />
  );
}

const DAYS = [
  ["monday_friday", "Monday to Friday"],
  ["saturday_sunday", "Saturday, Sunday"],
] as const;

function Hours({ label, value, onChange }: { label: string; value: Part; onChange: (value: unknown) => void }) {
  const put = (key: string, typed: string) => {
    const { [key]: _, ...others } = value;
    onChange(typed.trim() === "" ? others : { ...others, [key]: typed.trim() });
  };
  return (
    <>
      {DAYS.map(([key, days]) => (
        <CommittedInput
          key={key}
          label={days}
          aria-label={`${label}: ${days}`}
          placeholder="closed"
          value={String(value[key] ?? "")}
          onCommit={(typed) => put(key, typed)}
        />
      ))}
      <CommittedInput
        label="Time zone"
        aria-label={`${label}: time zone`}
        placeholder="UTC"
        value={String(value.timezone ?? "")}
        onCommit={(typed) => put("timezone", typed)}
      />
    </>
  );
}
