import type { Deliverable } from "@/api/types";

export const contentUrl = ({ id }: Deliverable): string => `/api/deliverables/${encodeURIComponent(id)}/content`;

/** As an attachment with its own file name. */
export const downloadUrl = (deliverable: Deliverable): string => `${contentUrl(deliverable)}?download=true`;

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 ** 2) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 ** 2).toFixed(1)} MB`;
}

const READABLE = /^text\/|json|xml|yaml|javascript|csv|markdown/;

/** Whether its content makes sense as text on the screen. */
export function isReadable({ mime_type, size_bytes }: Deliverable): boolean {
  return READABLE.test(mime_type) && size_bytes <= 2 * 1024 ** 2;
}

export const isMarkdown = ({ type, mime_type }: Deliverable): boolean =>
  type === "markdown" || mime_type.includes("markdown");
