import { newKey, workspaceHere } from "./client";
import { Problem, problemOf } from "./problems";

interface Sending {
  /** How much has arrived, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Send files as a form. What `fetch` cannot tell, how far it is, an old request can. */
export function upload<Answer>(
  path: string,
  files: readonly File[],
  { onProgress, signal }: Sending = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("X-Signoff", "1");
    request.setRequestHeader("Idempotency-Key", newKey());
    const here = workspaceHere();
    if (here) request.setRequestHeader("X-Signoff-Workspace", here);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0);
    // As `fetch` says it: nobody answered.
    request.onerror = () => reject(new TypeError("Failed to fetch"));
    request.onabort = () => reject(new Problem(0, "The upload was stopped."));
    request.onload = async () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText) as Answer);
      else reject(await problemOf(new Response(responseText, { status })));
    };
    signal?.addEventListener("abort", () => request.abort());
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    request.send(form);
  });
}

/** Why one file was refused. The name stands beside it already. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof Problem ? (error.errors[0]?.message ?? error.detail) : null;
