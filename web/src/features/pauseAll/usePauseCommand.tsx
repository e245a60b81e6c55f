import { lazy, type ReactNode, Suspense, useState } from "react";
import { useMay } from "@/api/roles";
import { usePauseState } from "./usePauseAll";

const PauseAllDialog = lazy(() => import("./PauseAllDialog"));
const LiftDialog = lazy(() => import("./LiftDialog"));

/** The emergency stop for menus and the command list: what it is called now, and its dialog. Nothing for who may not. */
export function usePauseCommand(): { command: { label: string; act: () => void } | null; dialog: ReactNode } {
  const may = useMay("admin");
  const enabled = usePauseState()?.enabled;
  const [asked, setAsked] = useState<"pause" | "lift" | null>(null);
  const close = () => setAsked(null);
  const act = () => setAsked(enabled ? "lift" : "pause");
  const label = enabled ? "Resume everything" : "Pause everything";
  const dialog = (
    <Suspense>
      {asked === "pause" && <PauseAllDialog onClose={close} />}
      {asked === "lift" && <LiftDialog onClose={close} />}
    </Suspense>
  );
  return { command: may ? { label, act } : null, dialog };
}
