import { NativeSelect } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { keyOf } from "@/api/queryKeys";
import { ROLE_CHOICES, ROLES, type Role } from "@/api/roles";
import type { components } from "@/api/schema";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Ago } from "@/ui/time/clock";
import { MemberMenu } from "./MemberMenu";
import { NewSignInLink } from "./NewSignInLink";

export type Member = components["schemas"]["MemberOut"];

/** One person, their role, and what an admin does about them. */
export function MemberRow({ member, admin }: { member: Member; admin: boolean }) {
  const queries = useQueryClient();
  const me = useMe();
  const [asked, setAsked] = useState<"remove" | "link" | null>(null);
  const close = () => setAsked(null);
  const again = () => queries.invalidateQueries({ queryKey: keyOf("/api/members") });
  const path = { member_id: member.id };
  const change = api.useMutation("patch", "/api/members/{member_id}", {
    onSuccess: ({ role, installation_admin }, { body }) => {
      if (body.role) said(`${member.name} is ${ROLES[role].label.toLowerCase()} now.`);
      else
        said(`${member.name} ${installation_admin ? "can create workspaces now" : "can no longer create workspaces"}.`);
      return again();
    },
    onError: failed,
  });
  const remove = api.useMutation("delete", "/api/members/{member_id}", {
    onSuccess: () => {
      said(`${member.name} is no longer a member.`);
      return Promise.all([again(), queries.invalidateQueries({ queryKey: keyOf("/api/invitations") })]);
    },
    onError: failed,
  });
  // Of `SIGNOFF_TOKEN` itself nothing can be changed here.
  const mayChange = admin && !member.is_root;
  const shown = (change.isPending && change.variables.body.role) || member.role;
  return (
    <tr>
      <td>
        <strong style={{ fontWeight: 570 }}>{member.name}</strong>
        {member.user_id === me.user.id && <span className="dim"> (you)</span>}
        {member.accepted_at === null && <span className="dim"> (invited, can't decide yet)</span>}
        {member.installation_admin && <span className="dim"> (installation admin)</span>}
        <div className="dim">{member.email}</div>
      </td>
      <td title={ROLES[shown].description}>
        {mayChange ? (
          <NativeSelect
            size="xs"
            miw="7.5rem"
            maw="10rem"
            aria-label={`Role of ${member.name}`}
            value={shown}
            disabled={change.isPending}
            onChange={(event) => change.mutate({ params: { path }, body: { role: event.currentTarget.value as Role } })}
            data={ROLE_CHOICES}
          />
        ) : (
          ROLES[shown].label
        )}
      </td>
      <td className={page.wide}>
        <Ago at={member.created_at} />
      </td>
      <td className={page.end}>
        {mayChange && (
          <DropdownButton
            className={page.more}
            label={`More about ${member.name}`}
            menu={(closeMenu) => (
              <MemberMenu
                member={member}
                onLink={() => setAsked("link")}
                onName={(installation_admin) => change.mutate({ params: { path }, body: { installation_admin } })}
                onRemove={() => setAsked("remove")}
                onClose={closeMenu}
              />
            )}
          >
            <Icon name="more" />
          </DropdownButton>
        )}
        {asked === "link" && <NewSignInLink member={member} onClose={close} />}
        {asked === "remove" && (
          <ConfirmDialog
            title={`Remove ${member.name}?`}
            action="Remove"
            danger
            pending={remove.isPending}
            onConfirm={() => remove.mutate({ params: { path } }, { onSettled: close })}
            onClose={close}
          >
            Their sessions and tokens stop working. What they decided stays on record.
          </ConfirmDialog>
        )}
      </td>
    </tr>
  );
}
