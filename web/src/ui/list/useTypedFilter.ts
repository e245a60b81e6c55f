import { useEffect, useRef, useState } from "react";

const TYPING_MS = 300;

/** A filter that is typed: it counts when the typing stops, and follows when it is changed elsewhere. */
export function useTypedFilter(value: string | undefined, onChange: (value: string | undefined) => void) {
  const [words, setWords] = useState(value ?? "");
  // Other filters may change while somebody types: the words must join what is chosen by then.
  const latest = useRef({ value, onChange });
  useEffect(() => {
    latest.current = { value, onChange };
  });
  const sent = useRef<string | null>(null);
  useEffect(() => {
    const isEcho = sent.current === (value ?? "");
    sent.current = null;
    // What comes back is trimmed, and the typing may have gone on.
    if (!isEcho) setWords(value ?? "");
  }, [value]);
  useEffect(() => {
    const timer = setTimeout(() => {
      const typed = words.trim();
      if (typed === (latest.current.value ?? "")) return;
      sent.current = typed;
      latest.current.onChange(typed || undefined);
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [words]);
  return [words, setWords] as const;
}
