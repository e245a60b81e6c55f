import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import classes from "./pauseAllBanner.module.css";
import { pausedSince } from "./pausedSince";
import { usePauseState } from "./usePauseAll";

const LiftDialog = lazy(() => import("./LiftDialog"));

/** A line across every page while no run may take a step. */
export function PauseAllBanner() {
  const may = useMay("admin");
  const state = usePauseState();
  const [asked, setAsked] = useState(false);
  if (!state?.enabled) return null;
  return (
    <div className={classes.banner} role="alert">
      <Icon name="pause" size={15} />
      <span className="grow">
        <strong>Everything is paused</strong>
        {state.by_name && ` by ${state.by_name}`}
        {state.at && ` since ${pausedSince(state.at)}`}
        {state.reason && `: ${state.reason}`}
      </span>
      {may ? (
        <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
          Resume everything
        </Button>
      ) : (
        <span className="small">{needsWords("admin", "resume")}</span>
      )}
      <Suspense>{asked && <LiftDialog onClose={() => setAsked(false)} />}</Suspense>
    </div>
  );
}
