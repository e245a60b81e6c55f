export interface DeliverableFilters {
  type?: string;
  agent?: string;
  status?: string;
  period?: string;
  run?: string;
  /** The id of the one that is open. */
  view?: string;
}

const named = (value: string) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) });

export const TYPES = [
  ...["markdown"].map(named),
  { value: "csv", label: "CSV" },
  { value: "json", label: "JSON" },
  { value: "pdf", label: "PDF" },
  ...["code", "image"].map(named),
  { value: "html", label: "HTML" },
  named("patch"),
];

export const STATUSES = ["draft", "final", "archived"].map(named);

/** `markdown` → `Markdown`, `csv` → `CSV`, `draft` → `Draft`. */
export const nameOf = (value: string): string =>
  [...TYPES, ...STATUSES].find((each) => each.value === value)?.label ?? named(value).label;
