export interface DeliverableFilters {
  type?: string;
  agent?: string;
  status?: string;
  period?: string;
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
