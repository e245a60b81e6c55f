import { SegmentedControl } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import type { FieldError } from "@/api/problems";
import type { Values } from "@/api/types";
import { Loading } from "../States";
import { DeceptiveTextWarning } from "../text/DeceptiveTextWarning";
import { parse, written } from "./editedText";
import { SchemaForm } from "./SchemaForm";
import type { Language } from "./useCodeEditor";

const TextEditor = lazy(() => import("./TextEditor"));

export interface ValueEditorProps {
  /** What is edited, for whoever cannot see it. */
  label: string;
  schema: Record<string, unknown> | null | undefined;
  value: unknown;
  /** `null` while the text cannot be read, with the reason. */
  onChange: (value: Values | null, problem: string | null) => void;
  /** What the server said of it, each with its place in it, until it is changed. */
  errors?: FieldError[];
}

type Mode = "form" | Language;

/** Edit an object as a form, as JSON or as YAML; going from one to the other keeps what was changed. */
export default function ValueEditor({ label, schema, value, onChange, errors = NONE }: ValueEditorProps) {
  const hasForm = isObjectSchema(schema);
  const [mode, setMode] = useState<Mode>(hasForm ? "form" : "json");
  const [good, setGood] = useState<Values>(() => (value ?? {}) as Values);
  const [problem, setProblem] = useState<{ message: string; at?: number }>();
  const take = (next: Values) => {
    setGood(next);
    setProblem(undefined);
    onChange(next, null);
  };
  const read = (text: string, language: Language) => {
    const parsed = parse(text, language);
    if (parsed.ok) return take(parsed.value);
    setProblem(parsed);
    onChange(null, parsed.message);
  };
  const names = namesIn(schema);
  // A form has no place for what is no field of it, and text has none at all.
  const elsewhere = mode === "form" ? errors.filter(({ path }) => !names.includes(path.split(".")[0] ?? "")) : errors;
  const switchTo = (next: string) => {
    setMode(next as Mode);
    // Text that cannot be read is left behind with its mode.
    if (problem) take(good);
  };
  return (
    <div className="stack">
      <SegmentedControl
        size="xs"
        style={{ alignSelf: "flex-start" }}
        aria-label="How to edit"
        value={mode}
        onChange={switchTo}
        data={[...(hasForm ? [{ value: "form", label: "Form" }] : []), ...TEXTS]}
      />
      {mode === "form" ? (
        <SchemaForm schema={schema ?? {}} value={good} onChange={take} errors={errors} />
      ) : (
        <Suspense fallback={<Loading lines={1} height={160} />}>
          <DeceptiveTextWarning of={good} />
          <TextEditor
            key={mode}
            language={mode}
            label={label}
            text={written(good, mode)}
            names={names}
            problem={problem}
            onChange={(text) => read(text, mode)}
          />
        </Suspense>
      )}
      {elsewhere.map(({ path, message }) => (
        <p key={`${path} ${message}`} className="small" style={{ color: "var(--bad)" }}>
          {path ? `${path}: ` : ""}
          {message}
        </p>
      ))}
    </div>
  );
}

const NONE: FieldError[] = [];
const TEXTS = [
  { value: "json", label: "JSON" },
  { value: "yaml", label: "YAML" },
];

function isObjectSchema(schema: ValueEditorProps["schema"]): boolean {
  return Boolean(schema?.properties && Object.keys(schema.properties).length > 0);
}

const namesIn = (schema: ValueEditorProps["schema"]): string[] => Object.keys(schema?.properties ?? {});
