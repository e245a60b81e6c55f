import "./form.css";
import { NumberInput, TextInput } from "@mantine/core";
import { withTheme } from "@rjsf/core";
import { Theme } from "@rjsf/mantine";
import {
  ariaDescribedByIds,
  type BaseInputTemplateProps,
  buttonId,
  canExpand,
  type ObjectFieldTemplateProps,
  type RJSFSchema,
  toErrorSchema,
  type UiSchema,
  type Widget,
} from "@rjsf/utils";
import { useMemo, useState } from "react";
import { isExact, toBigInt } from "@/api/exactIntegers";
import type { FieldError } from "@/api/problems";
import { DeceptiveTextWarning } from "../text/DeceptiveTextWarning";
import { label as worded } from "../values/valueFormat";
import validator from "./formValidator";
import { problemsOf } from "./schemaErrors";
import { withoutPatterns } from "./schemaPatterns";

const LONG = 70;
const NONE: FieldError[] = [];

interface SchemaFormProps {
  schema: Record<string, unknown>;
  value: unknown;
  onChange: (value: Record<string, unknown>) => void;
  /** What the server said of it as it is. */
  errors?: FieldError[];
}

/** A form made from a JSON Schema. What nobody touches stays as it was: no default is filled in. */
export function SchemaForm({ schema, value, onChange, errors = NONE }: SchemaFormProps) {
  // By what they held at first: a field that became another one while somebody types would lose the focus.
  const [first] = useState(value);
  // From the first change on, the form says by itself what is wrong.
  const [said, setSaid] = useState<string[]>([]);
  const extraErrors = useMemo(() => {
    const unsaid = errors.filter(({ path }) => !said.includes(path));
    return toErrorSchema(unsaid.map(({ path, message }) => ({ property: `.${path}`, message, stack: message })));
  }, [errors, said]);
  return (
    <>
      {/* Before the fields: they show what they hold in the way that deceives. */}
      <DeceptiveTextWarning of={value} />
      <Form
        schema={withoutPatterns(schema) as RJSFSchema}
        uiSchema={uiFor(schema, first)}
        formData={value}
        validator={validator}
        tagName="div"
        liveValidate
        noHtml5Validate
        showErrorList={false}
        experimental_defaultFormStateBehavior={{ emptyObjectFields: "skipDefaults", allOf: "skipDefaults" }}
        extraErrors={extraErrors}
        onChange={({ formData }) => {
          setSaid(problemsOf(schema, formData ?? {}).map(({ path }) => path));
          onChange(formData ?? {});
        }}
      >
        <span hidden />
      </Form>
    </>
  );
}

/** rjsf's own goes uncontrolled when it is cleared. */
function BaseInput(props: BaseInputTemplateProps) {
  const { id, type, schema, value, required, disabled, readonly, label, hideLabel, onChange, options } = props;
  const common = {
    id,
    name: id,
    label: hideLabel ? undefined : worded(label),
    description: hideLabel ? undefined : (options.description ?? schema.description),
    required,
    disabled: disabled || readonly,
    error: props.rawErrors?.length ? [...new Set(props.rawErrors)].join("; ") : undefined,
    "aria-describedby": ariaDescribedByIds(id),
  };
  if (isExact(value))
    return (
      <TextInput
        {...common}
        description="Too large for this field. Change it as JSON or YAML. If you leave it alone, it stays as it is."
        readOnly
        value={String(toBigInt(value))}
      />
    );
  if (schema.type === "number" || schema.type === "integer")
    return (
      <NumberInput
        {...common}
        value={value ?? ""}
        allowDecimal={schema.type === "number"}
        onChange={(next) => onChange(next === "" ? undefined : next)}
      />
    );
  return (
    <TextInput
      {...common}
      type={type === "email" || type === "url" ? type : "text"}
      value={value ?? ""}
      onChange={(event) => onChange(event.currentTarget.value === "" ? options.emptyValue : event.currentTarget.value)}
    />
  );
}

/** The fields below each other; only an object inside another needs its name. */
function ObjectFields(props: ObjectFieldTemplateProps) {
  const { title, properties, fieldPathId, schema, uiSchema, formData, registry, onAddProperty } = props;
  const { AddButton } = registry.templates.ButtonTemplates;
  const inside = fieldPathId.path.length > 0;
  return (
    <div className={inside ? "form-inside" : "stack"}>
      {inside && <div className="label">{worded(title)}</div>}
      {properties.map(({ name, hidden, content }) => !hidden && <div key={name}>{content}</div>)}
      {canExpand(schema, uiSchema, formData) && (
        <AddButton id={buttonId(fieldPathId, "add")} onClick={onAddProperty} uiSchema={uiSchema} registry={registry} />
      )}
    </div>
  );
}

/** rjsf takes what the server said into account more than once. */
function sayingOnce(Each: Widget): Widget {
  return (props) => <Each {...props} rawErrors={props.rawErrors && [...new Set(props.rawErrors)]} />;
}

const widgets = Object.entries(Theme.widgets ?? {}).map(([name, each]) => [name, sayingOnce(each)] as const);

const Form = withTheme({
  ...Theme,
  widgets: Object.fromEntries(widgets),
  templates: {
    ...Theme.templates,
    BaseInputTemplate: BaseInput,
    ObjectFieldTemplate: ObjectFields,
    FieldErrorTemplate: () => null,
  },
});

/** Long texts get room; the name of the whole is above the form already. */
function uiFor(schema: Record<string, unknown>, value: unknown): UiSchema {
  const ui: UiSchema = {};
  const properties = (schema.properties ?? {}) as Record<string, Record<string, unknown>>;
  for (const [name, { type, title, examples }] of Object.entries(properties)) {
    const text =
      (value as Record<string, unknown> | null)?.[name] ?? (Array.isArray(examples) ? examples[0] : undefined);
    const long = typeof text === "string" && (text.includes("\n") || text.length > LONG);
    ui[name] = { "ui:title": typeof title === "string" ? title : worded(name) };
    if (type === "string" && long)
      ui[name] = { ...ui[name], "ui:widget": "textarea", "ui:options": { autosize: true, minRows: 3, maxRows: 18 } };
  }
  return ui;
}
