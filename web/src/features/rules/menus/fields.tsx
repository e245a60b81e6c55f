import { NativeSelect, NumberInput, TextInput, type TextInputProps } from "@mantine/core";
import { type Ref, useEffect, useState } from "react";
import { NamesField } from "@/ui/NamesField";
import { UNITS, unitOf } from "./actions";
import "./fields.css";
import classes from "./menus.module.css";

interface CommittedInputProps extends Omit<TextInputProps, "value" | "onChange"> {
  ref?: Ref<HTMLInputElement>;
  value: string;
  onCommit: (value: string) => void;
}

/** A text that counts when it is done: on Enter, or when the field is left. */
export function CommittedInput({ value, onCommit, ...rest }: CommittedInputProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  const commit = () => {
    if (typed !== value) onCommit(typed);
  };
  return (
    <TextInput
      size="sm"
      spellCheck={false}
      value={typed}
      onChange={(event) => setTyped(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => {
        if (event.key === "Enter") commit();
        if (event.key === "Escape") setTyped(value);
      }}
      {...rest}
    />
  );
}

interface WordsFieldProps {
  label: string;
  value: string[];
  offered: string[];
  placeholder?: string;
  onChange: (value: string[]) => void;
}

/** One or several words: chosen from what the workspace has, or typed. */
export function WordsField({ label, ...rest }: WordsFieldProps) {
  return <NamesField className={classes.grow} aria-label={label} {...rest} />;
}

interface DurationFieldProps {
  label: string;
  seconds: number;
  onChange: (seconds: number) => void;
}

export function DurationField({ label, seconds, onChange }: DurationFieldProps) {
  const [unit, setUnit] = useState(unitOf(seconds));
  useEffect(() => {
    setUnit((shown) => (seconds % shown === 0 ? shown : unitOf(seconds)));
  }, [seconds]);
  return (
    <span className={classes.pair}>
      <CountField label={label} value={seconds / unit} max={2_592_000} onChange={(count) => onChange(count * unit)} />
      <NativeSelect
        size="sm"
        aria-label={`${label}: unit`}
        value={String(unit)}
        data={UNITS.map(({ value, label: name }) => ({ value: String(value), label: name }))}
        onChange={(event) => {
          const next = Number(event.currentTarget.value);
          setUnit(next);
          onChange((seconds / unit) * next);
        }}
      />
    </span>
  );
}

interface CountFieldProps {
  label: string;
  value: number;
  min?: number;
  max: number;
  step?: number;
  suffix?: string;
  onChange: (value: number) => void;
}

/** A number that counts when it is done, within its bounds. */
export function CountField({ label, value, min = 1, max, step = 1, suffix, onChange }: CountFieldProps) {
  const [typed, setTyped] = useState<string | number>(value);
  useEffect(() => setTyped(value), [value]);
  const commit = () => {
    const next = typeof typed === "number" ? typed : Number.parseFloat(typed);
    if (!Number.isFinite(next)) setTyped(value);
    else if (next !== value) onChange(next);
  };
  return (
    <NumberInput
      className={classes.count}
      size="sm"
      hideControls
      aria-label={label}
      value={typed}
      min={min}
      max={max}
      step={step}
      suffix={suffix}
      clampBehavior="blur"
      onChange={setTyped}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}
