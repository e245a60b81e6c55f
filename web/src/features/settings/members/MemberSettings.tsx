import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { AddMember } from "./AddMember";
import { Invitations } from "./Invitations";
import { MemberRow } from "./MemberRow";

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
      {list.isError && <Failed what="Couldn't load the members" error={list.error} retry={() => list.refetch()} />}
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
                <MemberRow key={member.id} member={member} admin={admin} />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {admin && <Invitations />}
      {adding && <AddMember onClose={() => setAdding(false)} />}
    </>
  );
}
