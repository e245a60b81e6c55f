import { Menu } from "@mantine/core";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import type { Extra } from "./ExtraActions";

interface ExtraActionsMenuProps {
  extras: Extra[];
  onClose: () => void;
}

export default function ExtraActionsMenu({ extras, onClose }: ExtraActionsMenuProps) {
  return (
    <DropdownMenu position="top-end" width={200} onClose={onClose}>
      {extras.map(({ label, act }) => (
        <Menu.Item key={label} onClick={act}>
          {label}
        </Menu.Item>
      ))}
    </DropdownMenu>
  );
}
