import { Menu } from "@mantine/core";
import { Icon } from "@/ui/icons";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";

interface MemberMenuProps {
  onRemove: () => void;
  onClose: () => void;
}

export function MemberMenu({ onRemove, onClose }: MemberMenuProps) {
  return (
    <DropdownMenu position="bottom-end" width={180} onClose={onClose}>
      <Menu.Item leftSection={<Icon name="trash-2" />} onClick={onRemove}>
        Remove
      </Menu.Item>
    </DropdownMenu>
  );
}
