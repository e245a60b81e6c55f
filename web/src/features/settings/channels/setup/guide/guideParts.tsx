import type { ReactNode } from "react";
import { CopyButton } from "@/ui/CopyButton";
import { Icon } from "@/ui/icons";
import classes from "../setup.module.css";
import { isPublic } from "./callbacks";

/** Such as a manifest, for another site. */
export function CopyableText({ text }: { text: string }) {
  return (
    <div className={classes.command}>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must get there */}
      <pre tabIndex={0}>{text}</pre>
      <CopyButton text={() => text} size="compact-sm" />
    </div>
  );
}

/** What does not work at an address that only this machine or network knows. */
export function OnlyPublic({ service }: { service: string }) {
  if (isPublic(location.origin)) return null;
  return (
    <p className={classes.warning}>
      <Icon name="triangle-alert" size={14} /> {service} can’t call {location.origin}: it needs a public https address.
      Messages arrive, but nobody can decide there. Open Signoff at its public address and copy this again.
    </p>
  );
}

export function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a className={classes.outside} href={href} target="_blank" rel="noopener noreferrer" title="Opens another site">
      {children}
      <Icon name="external-link" size={12} />
    </a>
  );
}
