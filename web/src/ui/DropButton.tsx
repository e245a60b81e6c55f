import { UnstyledButton } from "@mantine/core";
import { type ReactNode, Suspense, useState } from "react";

interface DropButtonProps {
  className?: string;
  label?: string;
  active?: boolean;
  children: ReactNode;
  /** The menu, which may be lazy. */
  menu: (close: () => void) => ReactNode;
}

/** A button that opens a menu. */
export function DropButton({ className, label, active, children, menu }: DropButtonProps) {
  const [open, setOpen] = useState(false);
  return (
    <span className="drop">
      <UnstyledButton
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        data-status={active ? "active" : undefined}
        onClick={() => setOpen(true)}
      >
        {children}
      </UnstyledButton>
      {open && <Suspense>{menu(() => setOpen(false))}</Suspense>}
    </span>
  );
}
