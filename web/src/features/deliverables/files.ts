import type { Deliverable } from "@/api/types";
import type { IconName } from "@/ui/icons";
import { type Shape, shapeOf } from "@/ui/preview/shapes";

export const contentUrl = ({ id }: Deliverable): string => `/api/deliverables/${encodeURIComponent(id)}/content`;

/** As an attachment with its own file name. */
export const downloadUrl = (deliverable: Deliverable): string => `${contentUrl(deliverable)}?download=true`;

/** Where a colleague can read it. */
export const linkTo = ({ id }: Deliverable): string => `${location.origin}/deliverables?view=${encodeURIComponent(id)}`;

/** Everything a run handed over, in one file. */
export const zipUrl = (runId: string): string => `/api/deliverables/download?run=${encodeURIComponent(runId)}`;

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

const ICONS: Partial<Record<Shape, IconName>> = {
  csv: "table-2",
  json: "code",
  code: "code",
  patch: "code",
  html: "code",
  image: "image",
  external: "external-link",
};

export const iconOf = (deliverable: Deliverable): IconName => ICONS[shapeOf(deliverable)] ?? "file-text";
