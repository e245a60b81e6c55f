import { useIntersection } from "@mantine/hooks";
import { useState } from "react";
import type { Ask } from "@/api/types";
import { AskCard } from "../detail/AskCard";
import { useIsInDialog } from "./askInDialog";

interface RunAskCardProps {
  ask: Ask;
  /** The one that keys are for: of several, the first. */
  first: boolean;
}

/** An open ask in its run's thread. Keys decide it only while it is in sight. */
export function RunAskCard({ ask, first }: RunAskCardProps) {
  const { ref, entry } = useIntersection();
  const [atOnce] = useState(first);
  if (useIsInDialog(ask.id)) return <p className="small dim">Shown in the window above</p>;
  return (
    <div ref={ref}>
      <AskCard ask={ask} inRun shortcuts={first && entry?.isIntersecting} cameByItself={!atOnce} />
    </div>
  );
}
