import { newKey, workspaceHere } from "@/api/client";
import { Problem, problemOf } from "@/api/problems";
import type { Upload } from "@/api/types";

interface Sending {
  /** How much has arrived, from 0 to 1. */
  onProgress?: (share: number) => void;
  signal?: AbortSignal;
}

/** Send files as a form. Only XMLHttpRequest tells how far an upload is. */
export function sendFiles(
  url: string,
  files: readonly File[],
  { onProgress, signal }: Sending = {},
): Promise<Upload[]> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("X-Signoff", "1");
    request.setRequestHeader("Idempotency-Key", newKey());
    const here = workspaceHere();
    if (here) request.setRequestHeader("X-Signoff-Workspace", here);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(total ? loaded / total : 0);
    request.onload = () => {
      if (request.status === 201) return resolve((JSON.parse(request.responseText) as { items: Upload[] }).items);
      return problemOf(new Response(request.responseText, { status: request.status })).then(reject);
    };
    request.onerror = () => reject(new TypeError("The upload broke off."));
    request.onabort = () => reject(new Problem(0, "The upload was stopped."));
    signal?.addEventListener("abort", () => request.abort());
    const form = new FormData();
    for (const file of files) form.append("files", file, file.name);
    request.send(form);
  });
}
