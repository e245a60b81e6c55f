import { Menu } from "@mantine/core";
import { Drop } from "@/ui/overlay/Drop";
import type { Extra } from "./Extras";

interface ExtrasMenuProps {
  extras: Extra[];
  onClose: () => void;
}

export default function ExtrasMenu({ extras, onClose }: ExtrasMenuProps) {
  return (
    <Drop position="top-end" width={200} onClose={onClose}>
      {extras.map(({ label, act }) => (
        <Menu.Item key={label} onClick={act}>
          {label}
        </Menu.Item>
      ))}
    </Drop>
  );
}
