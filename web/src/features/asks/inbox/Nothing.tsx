import type { ReactNode } from "react";
import { Empty, Loading } from "@/ui/States";
import type { View } from "./inboxSearch";

/** Other views say nothing of what is open. */
const BESIDE: Record<View, string> = { waiting: "You wait for nobody", decided: "No decisions to show" };

interface NothingProps {
  view: View | undefined;
  loading: boolean;
  failed: boolean;
  filtered: boolean;
  outcome: ReactNode;
}

/** Beside an empty list. */
export function Nothing({ view, loading, failed, filtered, outcome }: NothingProps) {
  if (loading) return <Loading lines={3} height={64} />;
  if (failed) return null;
  if (filtered)
    return (
      <Empty icon="inbox" title="Nothing to show">
        Try removing a filter.
      </Empty>
    );
  if (view)
    return (
      <Empty icon="inbox" title={BESIDE[view]}>
        What you can decide now is under Open.
      </Empty>
    );
  return (
    <Empty icon="inbox" title="You're all caught up" action={outcome}>
      When an agent wants to do something risky or has a question, it stops and asks you here.
    </Empty>
  );
}
