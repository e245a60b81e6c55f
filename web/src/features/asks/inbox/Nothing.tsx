import type { ReactNode } from "react";
import { Empty, Loading } from "@/ui/States";

interface NothingProps {
  loading: boolean;
  failed: boolean;
  filtered: boolean;
  outcome: ReactNode;
}

/** Beside an empty list. */
export function Nothing({ loading, failed, filtered, outcome }: NothingProps) {
  if (loading) return <Loading lines={3} height={64} />;
  if (failed) return null;
  return (
    <Empty icon="inbox" title={filtered ? "Nothing to show" : "You're all caught up"} action={!filtered && outcome}>
      {filtered
        ? "Try removing a filter."
        : "When an agent wants to do something risky or has a question, it stops and asks you here."}
    </Empty>
  );
}
