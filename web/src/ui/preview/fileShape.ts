import type { Deliverable } from "@/api/types";

/** How something is best looked at. */
export type Shape = "markdown" | "csv" | "json" | "patch" | "code" | "image" | "pdf" | "html" | "external" | "none";

const BY_ENDING: Record<string, Shape> = {
  md: "markdown",
  markdown: "markdown",
  csv: "csv",
  tsv: "csv",
  json: "json",
  patch: "patch",
  diff: "patch",
};

/** A file of a run's folder is text, whatever its name says; it is never shown as a page. */
export function shapeOfName(name: string): Shape {
  return BY_ENDING[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? "code";
}

const MOST_TEXT = 2 * 1024 ** 2;
const TEXT = /^text\/|json|xml|yaml|javascript|markdown|x-sh|sql|toml/;

export function shapeOf({ type, mime_type, storage, size_bytes, name }: Deliverable): Shape {
  if (storage === "external") return "external";
  if (type === "image" || mime_type.startsWith("image/")) return "image";
  if (type === "pdf" || mime_type === "application/pdf") return "pdf";
  if (type === "html" || mime_type === "text/html") return "html";
  if (size_bytes > MOST_TEXT) return "none";
  if (type === "markdown" || mime_type.includes("markdown")) return "markdown";
  if (type === "csv" || mime_type.includes("csv")) return "csv";
  if (type === "json" || mime_type.includes("json")) return "json";
  if (type === "patch" || mime_type.includes("diff")) return "patch";
  return type === "code" || TEXT.test(mime_type) ? shapeOfName(name) : "none";
}

export const isText = (shape: Shape): boolean => ["markdown", "csv", "json", "patch", "code", "html"].includes(shape);
