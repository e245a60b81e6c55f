import { api } from "@/api/client";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed } from "@/ui/overlay/toast";
import { LinkDialog } from "./LinkDialog";
import type { Member } from "./MemberRow";

/** A way back in for somebody else: it costs them their sessions, so it is asked about first. */
export function NewSignInLink({ member, onClose }: { member: Member; onClose: () => void }) {
  const make = api.useMutation("post", "/api/auth/links", { onError: failed });
  if (make.data)
    return (
      <LinkDialog url={make.data.url} mailed={make.data.mailed} onClose={onClose}>
        It lets {member.name} in. It works once, within a day. Send it to no one else: whoever opens it can act as them.
      </LinkDialog>
    );
  return (
    <ConfirmDialog
      title={`New sign-in link for ${member.name}?`}
      action="Create the link"
      pending={make.isPending}
      onConfirm={() => make.mutate({ body: { user: member.user_id } })}
      onClose={onClose}
    >
      <div className="stack">
        <p>This signs {member.name} out of this workspace on every device. They and all admins are told.</p>
        <p>
          On asks that are open now, your signature and theirs count as one, because with this link you could sign as
          them.
        </p>
      </div>
    </ConfirmDialog>
  );
}
