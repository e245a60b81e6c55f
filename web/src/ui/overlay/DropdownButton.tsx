import { UnstyledButton } from "@mantine/core";
import { type ReactNode, Suspense } from "react";
import { useOverlay } from "./useOverlay";

interface DropdownButtonProps {
  className?: string;
  label?: string;
  active?: boolean;
  children: ReactNode;
  /** The menu, which may be lazy. */
  menu: (close: () => void) => ReactNode;
}

/** A button that opens a menu. */
export function DropdownButton({ className, label, active, children, menu }: DropdownButtonProps) {
  const { over, open, close } = useOverlay<"menu">();
  return (
    <span className="drop">
      <UnstyledButton
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={over !== null}
        data-status={active ? "active" : undefined}
        onClick={() => open("menu")}
      >
        {children}
      </UnstyledButton>
      {over && <Suspense>{menu(close)}</Suspense>}
    </span>
  );
}
