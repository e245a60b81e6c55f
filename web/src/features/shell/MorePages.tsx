import { Menu } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Icon } from "@/ui/icons";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import type { PageLink } from "./pages";

interface MorePagesProps {
  pages: readonly PageLink[];
  onClose: () => void;
}

export default function MorePages({ pages, onClose }: MorePagesProps) {
  const navigate = useNavigate();
  return (
    <DropdownMenu position="top-end" width={200} onClose={onClose}>
      {pages.map(({ to, label, icon }) => (
        <Menu.Item key={to} leftSection={<Icon name={icon} />} onClick={() => navigate({ to })}>
          {label}
        </Menu.Item>
      ))}
    </DropdownMenu>
  );
}
