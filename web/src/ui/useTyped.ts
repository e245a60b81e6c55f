import { useEffect, useState } from "react";

const TYPING_MS = 300;

/** A filter that is typed: it counts when the typing stops, and follows when it is changed elsewhere. */
export function useTyped(value: string | undefined, onChange: (value: string | undefined) => void) {
  const [words, setWords] = useState(value ?? "");
  useEffect(() => setWords(value ?? ""), [value]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what is typed starts a search
  useEffect(() => {
    const timer = setTimeout(() => words.trim() !== (value ?? "") && onChange(words.trim() || undefined), TYPING_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return [words, setWords] as const;
}
