import { Menu, useMantineColorScheme } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMe } from "@/api/me";
import { Icon } from "@/ui/icons";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import { SCHEMES } from "./colorSchemes";
import type { PauseCommand } from "./commands";
import type { SignOut } from "./UserMenu";
import { useWorkspaces } from "./useWorkspaces";

interface UserMenuItemsProps {
  compact: boolean;
  signOut: SignOut;
  goTo: (workspace: string) => void;
  pauseAll: PauseCommand | null;
  onHelp: () => void;
  onClose: () => void;
}

export default function UserMenuItems({ compact, signOut, goTo, pauseAll, onHelp, onClose }: UserMenuItemsProps) {
  const { user, workspace, role } = useMe();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const workspaces = useWorkspaces();
  return (
    <DropdownMenu position={compact ? "bottom-end" : "top-start"} width={230} onClose={onClose}>
      <Menu.Label>
        {workspace.name}
        <br />
        {user.email} · {role}
      </Menu.Label>
      {workspaces.length > 1 && (
        <>
          {workspaces.map(({ id, name, current }) => (
            <Menu.Item
              key={id}
              leftSection={<Icon name={current ? "check" : "arrow-right"} />}
              aria-current={current || undefined}
              onClick={() => !current && goTo(id)}
            >
              {name}
            </Menu.Item>
          ))}
          <Menu.Divider />
        </>
      )}
      <Menu.Item renderRoot={(props) => <Link {...props} to="/settings" />} leftSection={<Icon name="sliders" />}>
        Settings
      </Menu.Item>
      <Menu.Item leftSection={<Icon name="keyboard" />} onClick={onHelp}>
        Keyboard
      </Menu.Item>
      {pauseAll && (
        <Menu.Item leftSection={<Icon name="pause" />} onClick={pauseAll.act}>
          {pauseAll.label}
        </Menu.Item>
      )}
      <Menu.Divider />
      <Menu.Label>Theme</Menu.Label>
      {SCHEMES.map(({ value, label, icon }) => (
        <Menu.Item
          key={value}
          leftSection={<Icon name={icon} />}
          rightSection={colorScheme === value && <Icon name="check" aria-label="chosen" />}
          onClick={() => setColorScheme(value)}
        >
          {label}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<Icon name="log-out" />} disabled={signOut.isPending} onClick={() => signOut.mutate({})}>
        Sign out
      </Menu.Item>
    </DropdownMenu>
  );
}
