import { commonLines } from "./commonLines";

/**
 * A text written anew, with every line that did not change as it was written by hand.
 * `plain` is `original` written anew without a change, `changed` with it.
 */
export function mergeLines(original: string[], plain: string[], changed: string[]): string[] {
  const written = runs(commonLines(original.map(squeezed), plain.map(squeezed)), original.length, plain.length);
  const kept = new Map(commonLines(plain, changed).map(([from, to]) => [to, from]));
  const merged: string[] = [];
  for (let at = 0; at < changed.length; ) {
    const run = kept.has(at) ? written.get(kept.get(at) as number) : undefined;
    const whole =
      run && Array.from({ length: run.plain }, (_, step) => kept.get(at + step)).every(isNextOf(kept.get(at)));
    if (run && whole) {
      merged.push(...original.slice(run.from, run.to));
      at += run.plain;
    } else merged.push(changed[at++] ?? "");
  }
  return merged;
}

const isNextOf = (first: number | undefined) => (each: number | undefined, step: number) =>
  each !== undefined && each === (first ?? 0) + step;

interface Run {
  /** So many lines of the plain text stand for these lines of the original. */
  plain: number;
  from: number;
  to: number;
}

/** By the first line of the plain text: which lines of the original it stands for. */
function runs(same: [number, number][], originals: number, plains: number): Map<number, Run> {
  const found = new Map<number, Run>();
  let [from, plain] = [0, 0];
  for (const [left, right] of [...same, [originals, plains] as const]) {
    if (right > plain) found.set(plain, { plain: right - plain, from, to: left });
    // What the plain text leaves out, such as a second empty line, goes with the line after it.
    const start = right > plain ? left : from;
    if (right < plains) found.set(right, { plain: 1, from: start, to: left + 1 });
    [from, plain] = [left + 1, right + 1];
  }
  return found;
}

const squeezed = (line: string): string => line.replace(/\s+/g, "");
