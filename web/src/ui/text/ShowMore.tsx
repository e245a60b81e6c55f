import { Button } from "@mantine/core";
import { type ReactNode, useState } from "react";

const FASTER = 10;

/** How much of something long is drawn, and the way to more of it. What an agent sends has no bound of its own. */
export function useShowMore(total: number, first: number, what: string): { shown: number; more: ReactNode } {
  const [limit, setLimit] = useState(first);
  if (total <= limit) return { shown: total, more: null };
  const next = Math.min(total, limit * FASTER);
  const more = (
    <p className="row wrap small">
      <span>
        The first {count(limit)} of {count(total)} {what}.
      </span>
      <Button size="compact-sm" variant="default" onClick={() => setLimit(next)}>
        {next === total ? "Show all" : `Show ${count(next)}`}
      </Button>
    </p>
  );
  return { shown: limit, more };
}

const count = (number: number): string => number.toLocaleString("en");
