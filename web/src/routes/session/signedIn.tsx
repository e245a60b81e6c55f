import { NewAsks } from "@/features/asks/newAsks/NewAsks";
import { UndoBar } from "@/features/asks/outbox/UndoBar";
import { changeAuthor, outbox, useDecidedIds, useOutgoing } from "@/features/asks/outbox/useOutbox";
import { AwayBanner } from "@/features/away/AwayBanner";
import { NewDeliverables } from "@/features/deliverables/NewDeliverables";
import { PauseAllBanner } from "@/features/pauseAll/PauseAllBanner";
import { usePauseCommand } from "@/features/pauseAll/usePauseCommand";
import { useSignOut } from "@/features/session/useSignOut";
import { Shell } from "@/features/shell/Shell";
import { useGoToWorkspace } from "./useGoToWorkspace";

/** The frame, with what the inbox has to say on every page. */
export function SignedIn() {
  const signOut = useSignOut({
    // What is decided goes out while it still has its author.
    before: () => outbox.sendHeld(),
    after: () => changeAuthor(null),
  });
  const kept = useOutgoing().filter(({ state }) => state === "kept").length;
  const { command: pauseAll, dialog } = usePauseCommand();
  const arriving = (
    <>
      {dialog}
      <NewAsks />
      <NewDeliverables />
    </>
  );
  return (
    <Shell
      decided={useDecidedIds()}
      kept={kept}
      signOut={signOut}
      goTo={useGoToWorkspace()}
      pauseAll={pauseAll}
      notice={
        <>
          <PauseAllBanner />
          <AwayBanner />
        </>
      }
      leaving={<UndoBar />}
      arriving={arriving}
    />
  );
}
