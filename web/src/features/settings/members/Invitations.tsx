import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { ROLES } from "@/api/roles";
import type { components } from "@/api/schema";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed } from "@/ui/States";
import { Countdown, useServerNow } from "@/ui/time/clock";
import { InvitationLink } from "./InvitationLink";

type Pending = components["schemas"]["InvitationOut"];

/** Who was invited and has not come in yet. */
export function Invitations() {
  const list = api.useQuery("get", "/api/invitations", { params: { query: { limit: 200 } } });
  if (list.isError)
    return <Failed what="Couldn't load the invitations" error={list.error} retry={() => list.refetch()} />;
  if (!list.data?.items.length) return null;
  return (
    <section style={{ marginTop: "1.5rem" }} aria-label="Pending invitations">
      <h2 style={{ marginBottom: "0.5rem", fontSize: "1rem" }}>Pending invitations</h2>
      <div className={`card ${page.scroll}`}>
        <table className={page.table}>
          <thead>
            <tr>
              <th>Name</th>
              <th className={page.wide}>Role</th>
              <th>Expires</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {list.data.items.map((invitation) => (
              <Row key={invitation.id} invitation={invitation} />
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Row({ invitation }: { invitation: Pending }) {
  const queries = useQueryClient();
  const now = useServerNow();
  const [asked, setAsked] = useState(false);
  const again = () => queries.invalidateQueries({ queryKey: keyOf("/api/invitations") });
  const renew = api.useMutation("post", "/api/invitations", { onError: failed });
  const revoke = api.useMutation("delete", "/api/invitations/{invitation_id}", {
    onSuccess: () => {
      said(`The invitation for ${invitation.name} no longer works.`);
      return again();
    },
    onError: failed,
  });
  const { id, name, email, role, expires_at } = invitation;
  const expired = expires_at !== null && Date.parse(expires_at) <= now;
  return (
    <tr>
      <td>
        <strong style={{ fontWeight: 570 }}>{name}</strong>
        <div className="dim">{email}</div>
      </td>
      <td className={page.wide}>{ROLES[role].label}</td>
      <td>{expired ? "Expired" : expires_at && <Countdown at={expires_at} />}</td>
      <td className={page.end}>
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button
            size="compact-sm"
            variant="default"
            loading={renew.isPending}
            onClick={() => renew.mutate({ body: { name, email, role } })}
          >
            Renew
          </Button>
          <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
            Revoke
          </Button>
        </div>
        {renew.data && (
          <InvitationLink
            invitation={renew.data}
            onClose={() => {
              renew.reset();
              again();
            }}
          />
        )}
        {asked && (
          <ConfirmDialog
            title={`Revoke the invitation for ${name}?`}
            action="Revoke"
            danger
            pending={revoke.isPending}
            onConfirm={() => revoke.mutate({ params: { path: { invitation_id: id } } })}
            onClose={() => setAsked(false)}
          >
            The link stops working. They stay in the list of members until you remove them.
          </ConfirmDialog>
        )}
      </td>
    </tr>
  );
}
