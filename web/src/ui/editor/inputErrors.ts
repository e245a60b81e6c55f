import { type FieldError, Problem } from "@/api/problems";

const MISSING = /^'(.+)' is missing$/;

/** What is wrong with the fields of an input, each with its place in there. */
export function inputErrors(error: unknown): FieldError[] {
  if (!(error instanceof Problem)) return [];
  return error.errors.filter(isOfInput).map(({ path, message }) => {
    const missing = MISSING.exec(message)?.[1];
    const steps = path.split(".").slice(1);
    return missing
      ? { path: [...steps, missing].join("."), message: "is missing" }
      : { path: steps.join("."), message };
  });
}

/** The rest of it: what stands at the fields already is not said again. */
export function besidesInput(error: unknown): unknown {
  if (!(error instanceof Problem) || !error.errors.some(isOfInput)) return error;
  const rest = error.errors.filter((each) => !isOfInput(each));
  return new Problem(error.status, error.detail, error.code, rest);
}

const isOfInput = ({ path }: FieldError): boolean => path === "input" || path.startsWith("input.");
