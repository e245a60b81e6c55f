import { Menu } from "@mantine/core";
import { useMe } from "@/api/me";
import { Icon } from "@/ui/icons";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import type { Member } from "./MemberRow";

interface MemberMenuProps {
  member: Member;
  onLink: () => void;
  onName: (installationAdmin: boolean) => void;
  onRemove: () => void;
  onClose: () => void;
}

export function MemberMenu({ member, onLink, onName, onRemove, onClose }: MemberMenuProps) {
  const { user, installation_admin } = useMe();
  const accepted = member.accepted_at !== null;
  return (
    <DropdownMenu position="bottom-end" width={260} onClose={onClose}>
      {accepted && member.user_id !== user.id && (
        <Menu.Item leftSection={<Icon name="key-round" />} onClick={onLink}>
          New sign-in link
        </Menu.Item>
      )}
      {accepted && installation_admin && (
        <Menu.Item leftSection={<Icon name="plus" />} onClick={() => onName(!member.installation_admin)}>
          {member.installation_admin ? "Remove as installation admin" : "Make installation admin"}
        </Menu.Item>
      )}
      <Menu.Item leftSection={<Icon name="trash-2" />} onClick={onRemove}>
        Remove
      </Menu.Item>
    </DropdownMenu>
  );
}
