import { Menu, type MenuProps } from "@mantine/core";
import type { ReactNode } from "react";

interface DropdownMenuProps extends Pick<MenuProps, "position" | "width"> {
  onClose: () => void;
  children: ReactNode;
}

/**
 * A menu that hangs on the button before it, inside `.drop`. Menus are large, so what shows one loads it when it opens.
 * While it is open, it covers the button: another click there closes it.
 */
export function DropdownMenu({ onClose, children, ...place }: DropdownMenuProps) {
  return (
    // The placeholder is no child that a menu may have. Without it, the first item has the focus.
    <Menu opened onChange={(open) => !open && onClose()} withinPortal withInitialFocusPlaceholder={false} {...place}>
      <Menu.Target>
        <span className="drop-cover" aria-hidden />
      </Menu.Target>
      <Menu.Dropdown>{children}</Menu.Dropdown>
    </Menu>
  );
}
