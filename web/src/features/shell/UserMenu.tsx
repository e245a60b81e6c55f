import { Avatar, VisuallyHidden } from "@mantine/core";
import { lazy } from "react";
import { useMe } from "@/api/me";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import type { PauseCommand } from "./commands";
import classes from "./shell.module.css";

const UserMenuItems = lazy(() => import("./UserMenuItems"));

export interface SignOut {
  isPending: boolean;
  mutate: (nothing: Record<string, never>) => void;
}

interface UserMenuProps {
  compact?: boolean;
  signOut: SignOut;
  goTo: (workspace: string) => void;
  pauseAll: PauseCommand | null;
  onHelp: () => void;
}

export function UserMenu({ compact = false, signOut, goTo, pauseAll, onHelp }: UserMenuProps) {
  const { user, workspace } = useMe();
  const name = user.name || user.email;
  return (
    <DropdownButton
      className={classes.user}
      menu={(close) => (
        <UserMenuItems
          compact={compact}
          signOut={signOut}
          goTo={goTo}
          pauseAll={pauseAll}
          onHelp={onHelp}
          onClose={close}
        />
      )}
    >
      <VisuallyHidden>Account of {compact && name}</VisuallyHidden>
      <Avatar size={28} color="pine" radius="xl" name={name} aria-hidden />
      {!compact && (
        <span className="grow">
          <span className="cut small" style={{ display: "block", fontWeight: 570 }}>
            {name}
          </span>
          <span className="cut tiny dim" style={{ display: "block" }}>
            {workspace.name}
          </span>
        </span>
      )}
    </DropdownButton>
  );
}
