import { ActionIcon, Autocomplete, Button, NativeSelect } from "@mantine/core";
import type { Source } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import type { Field } from "../graph/sourcePaths";
import { defaultOf, kindOf, type SourceKind, sourceOf, textOf } from "../text/sources";
import { freeId } from "../text/stepChanges";
import classes from "../workflows.module.css";
import { CommittedInput } from "./CommittedInput";
import { FieldChips } from "./FieldChips";

const KINDS = [
  { value: "path", label: "from" },
  { value: "const", label: "always" },
  { value: "template", label: "made by" },
];

interface MappingRowsProps {
  input: Record<string, Source>;
  /** Where values can come from. */
  fields: Field[];
  /** What would fill by itself, by name and type. */
  matches: Record<string, Source>;
  readOnly: boolean;
  onChange: (input: Record<string, Source> | undefined) => void;
}

/** What a step gets: each field, and where its value comes from. */
export function MappingRows({ input, fields, matches, readOnly, onChange }: MappingRowsProps) {
  const paths = fields.map(({ path }) => path);
  const rows = Object.entries(input);
  const put = (at: number, row: [string, Source] | null) => {
    const next = row ? rows.with(at, row) : rows.toSpliced(at, 1);
    onChange(next.length > 0 ? Object.fromEntries(next) : undefined);
  };
  const add = () => onChange({ ...input, [freeId("field", Object.keys(input), "_")]: paths[0] ?? "input" });
  const take = (path: string, target?: string) => {
    const name = target ?? freeField(path, Object.keys(input));
    onChange({ ...input, [name]: path });
  };
  const found = Object.keys(matches).length;
  return (
    <fieldset className={classes.mapping} disabled={readOnly} data-mapping>
      <legend className="label">Input</legend>
      {rows.length === 0 && <p className="tiny dim">It gets all that is known so far.</p>}
      {rows.map(([target, source], at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row stays the same row while its field is renamed
        <div key={at} className={classes.mapRow} data-field={target}>
          <CommittedInput
            aria-label={`Field ${at + 1}`}
            value={target}
            onCommit={(name) => name && !(name in input) && put(at, [name, source])}
          />
          <NativeSelect
            aria-label={`How ${target} is filled`}
            data={KINDS}
            value={kindOf(source)}
            onChange={(event) => put(at, [target, sourceOf(event.currentTarget.value as SourceKind, textOf(source))])}
          />
          <ActionIcon variant="subtle" aria-label={`Remove ${target}`} onClick={() => put(at, null)}>
            <Icon name="x" />
          </ActionIcon>
          <SourceField
            target={target}
            source={source}
            paths={paths}
            onChange={(changed) => put(at, [target, changed])}
          />
        </div>
      ))}
      {!readOnly && (
        <div className="row wrap">
          <Button size="compact-xs" variant="subtle" leftSection={<Icon name="plus" />} onClick={add}>
            Add a field
          </Button>
          {found > 0 && (
            <Button size="compact-xs" variant="subtle" onClick={() => onChange({ ...input, ...matches })}>
              {found === 1 ? "Match 1 field" : `Match ${found} fields`}
            </Button>
          )}
        </div>
      )}
      {!readOnly && <FieldChips fields={fields} onTake={take} />}
    </fieldset>
  );
}

/** A field called as that from which it is filled. */
const freeField = (path: string, taken: string[]): string => {
  const name = path.split(".").at(-1) ?? "field";
  return taken.includes(name) ? freeId(name, taken, "_") : name;
};

interface SourceFieldProps {
  target: string;
  source: Source;
  paths: string[];
  onChange: (source: Source) => void;
}

function SourceField({ target, source, paths, onChange }: SourceFieldProps) {
  const kind = kindOf(source);
  const text = textOf(source);
  if (kind !== "path")
    return (
      <CommittedInput
        className={classes.mapSource}
        aria-label={`${kind === "const" ? "Value" : "Template"} of ${target}`}
        placeholder={kind === "const" ? "A word, a number or JSON" : "JMESPath"}
        value={text}
        onCommit={(next) => onChange(sourceOf(kind, next))}
      />
    );
  return (
    <>
      <Autocomplete
        className={classes.mapSource}
        aria-label={`Path of ${target}`}
        placeholder="steps.first.field"
        data={paths}
        value={text}
        onChange={(next) => onChange(sourceOf("path", next, defaultOf(source)))}
      />
      <CommittedInput
        className={classes.mapSource}
        aria-label={`Default of ${target}`}
        placeholder="Default, if it is not there"
        value={defaultOf(source)}
        onCommit={(next) => onChange(sourceOf("path", text, next))}
      />
    </>
  );
}
