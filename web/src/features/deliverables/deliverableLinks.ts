import type { Deliverable } from "@/api/types";

export const contentUrl = ({ id }: Deliverable): string => `/api/deliverables/${encodeURIComponent(id)}/content`;

/** As an attachment with its own file name. */
export const downloadUrl = (deliverable: Deliverable): string => `${contentUrl(deliverable)}?download=true`;

/** Where a colleague can read it. */
export const linkTo = ({ id }: Deliverable): string => `${location.origin}/deliverables?view=${encodeURIComponent(id)}`;

/** Everything a run handed over, in one file. */
export const zipUrl = (runId: string): string => `/api/deliverables/download?run=${encodeURIComponent(runId)}`;
