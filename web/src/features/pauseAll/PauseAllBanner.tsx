import { Button } from "@mantine/core";
import { useState } from "react";
import { useMemberNames } from "@/api/memberNames";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import classes from "./pauseAllBanner.module.css";
import { pausedSince } from "./pausedSince";
import { usePauseState, useSetPause } from "./usePauseAll";

/** A line across every page while no run may take a step. */
export function PauseAllBanner() {
  const may = useMay("admin");
  const state = usePauseState();
  const nameOf = useMemberNames(state?.enabled ?? false);
  const [asked, setAsked] = useState(false);
  if (!state?.enabled) return null;
  return (
    <div className={classes.banner} role="alert">
      <Icon name="pause" size={15} />
      <span className="grow">
        <strong>Everything is paused</strong>
        {state.by && ` by ${nameOf(state.by)}`}
        {state.at && ` since ${pausedSince(state.at)}`}
        {state.reason && `: ${state.reason}`}
      </span>
      {may ? (
        <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
          Let everything go on
        </Button>
      ) : (
        <span className="small">{needsWords("admin", "let it go on")}</span>
      )}
      {asked && <LiftDialog onClose={() => setAsked(false)} />}
    </div>
  );
}

function LiftDialog({ onClose }: { onClose: () => void }) {
  const lift = useSetPause();
  return (
    <ConfirmDialog
      title="Let everything go on?"
      action="Let everything go on"
      pending={lift.isPending}
      onConfirm={() => lift.mutate({ body: { enabled: false } }, { onSuccess: onClose })}
      onClose={onClose}
    >
      Every run goes on at once from where it was held. Runs that somebody paused by hand stay paused.
    </ConfirmDialog>
  );
}
