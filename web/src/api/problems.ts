/** What went wrong, in words that can be shown. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly detail: string,
    readonly code?: string,
    readonly errors: FieldError[] = [],
    /** How things stand, where they do not allow it (409). */
    readonly state: Record<string, unknown> = {},
  ) {
    super(detail);
    this.name = "Problem";
  }
}

export interface FieldError {
  path: string;
  message: string;
}

const UPDATED = "Signoff was updated. Reload this page to continue.";
const UNREACHABLE = "Can't reach Signoff. Check that the server is running, then try again.";

/** An answer that is not 2xx, as a Problem; problem+json when the server sent it. */
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => null);
  if (body && typeof body === "object") {
    const { detail, title, code, errors, state } = body as Record<string, unknown>;
    const words = typeof detail === "string" ? detail : typeof title === "string" ? title : null;
    if (words) {
      const known = typeof code === "string" ? code : undefined;
      return new Problem(response.status, words, known, fieldErrors(errors), (state ?? {}) as Problem["state"]);
    }
  }
  return new Problem(response.status, fallback(response.status));
}

function fieldErrors(errors: unknown): FieldError[] {
  if (!Array.isArray(errors)) return [];
  return errors.map((item) => ({ path: String(item?.path ?? ""), message: String(item?.message ?? "") }));
}

function fallback(status: number): string {
  if (status === 502 || status === 503 || status === 504) return UNREACHABLE;
  return `Server error (${status}). Try again. If it happens again, check the server log.`;
}

/** One sentence for any error that a request can end in. */
export function wordsOf(error: unknown): string {
  if (error instanceof Problem) {
    // What the sentence says already is not said again.
    const fields = error.errors
      .map((item) => `${item.path ? `${item.path}: ` : ""}${item.message}`)
      .filter((words) => !error.detail.includes(words));
    return fields.length > 0 ? `${error.detail} ${fields.join("; ")}` : error.detail;
  }
  if (isOutdated(error)) return UPDATED;
  return error instanceof TypeError ? UNREACHABLE : String(error instanceof Error ? error.message : error);
}

export const isProblem = (error: unknown, status: number): boolean =>
  error instanceof Problem && error.status === status;

/** Whether nobody answered at all: the network is down, or the server is starting. */
export function isUnreachable(error: unknown): boolean {
  if (isOutdated(error)) return false;
  return error instanceof Problem ? [502, 503, 504].includes(error.status) : error instanceof TypeError;
}

/** Whether a part of the app is not there any more: each release has its own files. Every browser words it its way. */
export function isOutdated(error: unknown): boolean {
  const words = error instanceof Error ? error.message : "";
  return /dynamically imported module|importing a module script failed|unable to preload css/i.test(words);
}
