import type { components } from "@/api/schema";
import { VisibleText } from "@/ui/text/VisibleText";
import { LinkDialog } from "./LinkDialog";

interface InvitationLinkProps {
  invitation: components["schemas"]["NewInvitation"];
  onClose: () => void;
}

/** Whoever opens it becomes this member. */
export function InvitationLink({ invitation: { name, url, mailed, expires_at }, onClose }: InvitationLinkProps) {
  return (
    <LinkDialog url={url} mailed={mailed} onClose={onClose}>
      It lets <VisibleText text={name} /> in. It works once
      {expires_at && `, until ${new Date(expires_at).toLocaleDateString(undefined, { dateStyle: "long" })}`}. Send it to
      no one else: whoever opens it can act as them.
    </LinkDialog>
  );
}
