import { Button, NativeSelect } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { keyOf } from "@/api/queryKeys";
import { needsWords, ROLE_CHOICES, ROLES, type Role, useMay } from "@/api/roles";
import type { components } from "@/api/schema";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { Ago } from "@/ui/time/clock";
import { AddMember } from "./AddMember";
import { MemberMenu } from "./MemberMenu";

type Member = components["schemas"]["MemberOut"];

/** Who belongs to the workspace, and what each may do. */
export function MemberSettings() {
  const admin = useMay("admin");
  const [adding, setAdding] = useState(false);
  const list = api.useQuery("get", "/api/members", { params: { query: { limit: 200 } } });
  return (
    <>
      <div className="row wrap" style={{ marginBottom: "1rem" }}>
        <p className="dim grow">
          {admin ? "Changes take effect immediately." : needsWords("admin", "add people or change roles")}
        </p>
        {admin && (
          <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
            Invite a member
          </Button>
        )}
      </div>
      {list.isPending && <Loading lines={4} />}
      {list.isError && (
        <Failed what="The members could not be loaded" error={list.error} retry={() => list.refetch()} />
      )}
      {list.data && (
        <div className={`card ${page.scroll}`}>
          <table className={page.table}>
            <thead>
              <tr>
                <th>Name</th>
                <th>Role</th>
                <th className={page.wide}>Since</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {list.data.items.map((member) => (
                <Row key={member.id} member={member} admin={admin} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {adding && <AddMember onClose={() => setAdding(false)} />}
    </>
  );
}

function Row({ member, admin }: { member: Member; admin: boolean }) {
  const queries = useQueryClient();
  const me = useMe();
  const [asked, setAsked] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: keyOf("/api/members") });
  const path = { member_id: member.id };
  const change = api.useMutation("patch", "/api/members/{member_id}", {
    onSuccess: ({ role }) => {
      said(`${member.name} is ${ROLES[role].label.toLowerCase()} now.`);
      return again();
    },
    onError: failed,
  });
  const remove = api.useMutation("delete", "/api/members/{member_id}", {
    onSuccess: () => {
      said(`${member.name} is no longer a member.`);
      return again();
    },
    onError: failed,
  });
  const shown = change.isPending ? change.variables.body.role : member.role;
  return (
    <tr>
      <td>
        <strong style={{ fontWeight: 570 }}>{member.name}</strong>
        {member.user_id === me.user.id && <span className="dim"> (you)</span>}
        {member.accepted_at === null && <span className="dim"> (invited, decides nothing yet)</span>}
        <div className="dim">{member.email}</div>
      </td>
      <td title={ROLES[shown].description}>
        {admin ? (
          <NativeSelect
            size="xs"
            miw="6.5rem"
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
        {admin && (
          <DropdownButton
            className={page.more}
            label={`More about ${member.name}`}
            menu={(close) => <MemberMenu onRemove={() => setAsked(true)} onClose={close} />}
          >
            <Icon name="more" />
          </DropdownButton>
        )}
        {asked && (
          <ConfirmDialog
            title={`Remove ${member.name}?`}
            action="Remove"
            danger
            pending={remove.isPending}
            onConfirm={() => remove.mutate({ params: { path } }, { onSettled: () => setAsked(false) })}
            onClose={() => setAsked(false)}
          >
            Their sessions and tokens stop working. What they decided stays on record.
          </ConfirmDialog>
        )}
      </td>
    </tr>
  );
}
