import {
  Avatar,
  Menu,
  UnstyledButton,
  useComputedColorScheme,
  useMantineColorScheme,
  VisuallyHidden,
} from "@mantine/core";
import { useMe, useSignOut } from "@/features/session/session";
import { Icon } from "@/ui/icons";
import classes from "./shell.module.css";

export function UserMenu({ compact = false }: { compact?: boolean }) {
  const { user, workspace, role } = useMe();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const dark = useComputedColorScheme("light") === "dark";
  const name = user.name || user.email;
  return (
    <Menu position={compact ? "bottom-end" : "top-start"} width={220} withinPortal>
      <Menu.Target>
        <UnstyledButton className={classes.user}>
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
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          {user.email} · {role}
        </Menu.Label>
        <Menu.Item
          leftSection={<Icon name={dark ? "sun" : "moon"} />}
          onClick={() => setColorScheme(dark ? "light" : "dark")}
        >
          {dark ? "Light mode" : "Dark mode"}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          leftSection={<Icon name="log-out" />}
          disabled={signOut.isPending}
          onClick={() => signOut.mutate({})}
        >
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
