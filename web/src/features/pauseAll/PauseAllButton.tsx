import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { usePauseState } from "./usePauseAll";

const PauseAllDialog = lazy(() => import("./PauseAllDialog"));

/** Holds every run of the workspace. Letting them go on is the banner's. */
export function PauseAllButton() {
  const may = useMay("admin");
  const state = usePauseState();
  const [asked, setAsked] = useState(false);
  if (!state || state.enabled) return null;
  return (
    <>
      <Button
        color="red.8"
        disabled={!may}
        title={may ? undefined : needsWords("admin", "pause everything")}
        leftSection={<Icon name="pause" />}
        onClick={() => setAsked(true)}
      >
        Pause everything
      </Button>
      <Suspense>{asked && <PauseAllDialog onClose={() => setAsked(false)} />}</Suspense>
    </>
  );
}
