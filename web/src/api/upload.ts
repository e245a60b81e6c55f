import { newKey, workspaceHere } from "./client";
import { Problem, problemOf } from "./problems";

/** Send one file as a form, saying how far it is (0 to 1). What `fetch` cannot tell, an old request can. */
export function upload<Answer>(path: string, file: File, onProgress: (share: number) => void): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", path);
    request.setRequestHeader("X-Signoff", "1");
    request.setRequestHeader("Idempotency-Key", newKey());
    const here = workspaceHere();
    if (here) request.setRequestHeader("X-Signoff-Workspace", here);
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0);
    // As `fetch` says it: nobody answered.
    request.onerror = () => reject(new TypeError("Failed to fetch"));
    request.onload = async () => {
      const { status, responseText } = request;
      if (status >= 200 && status < 300) resolve(JSON.parse(responseText) as Answer);
      else reject(await problemOf(new Response(responseText, { status })));
    };
    const form = new FormData();
    form.append("files", file);
    request.send(form);
  });
}

/** Why one file was refused. The name stands beside it already. */
export const refusalOf = (error: unknown): string | null =>
  error instanceof Problem ? (error.errors[0]?.message ?? error.detail) : null;
