import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { useMemberNames } from "@/api/memberNames";
import { needsWords, useMay } from "@/api/roles";
import type { components } from "@/api/schema";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { EditGroup } from "./EditGroup";

type Group = components["schemas"]["GroupOut"];

/** What to do about it, for who can. */
export const noGroupsWords = (admin: boolean): string =>
  `${admin ? "Create" : "An admin can create"} a group, such as finance, so that rules can name it as approver.`;

/** People whom rules call upon together. */
export function GroupSettings() {
  const admin = useMay("admin");
  const named = useMemberNames();
  const [edited, setEdited] = useState<Group | "new" | null>(null);
  const list = api.useQuery("get", "/api/groups", { params: { query: { limit: 200 } } });
  return (
    <>
      <div className="row wrap" style={{ marginBottom: "1rem" }}>
        <p className="dim grow">
          Rules name a group as <code>group:name</code>. {!admin && needsWords("admin", "change groups")}
        </p>
        {admin && (
          <Button leftSection={<Icon name="plus" />} onClick={() => setEdited("new")}>
            New group
          </Button>
        )}
      </div>
      {list.isPending && <Loading lines={3} />}
      {list.isError && <Failed what="Couldn't load the groups" error={list.error} retry={() => list.refetch()} />}
      {list.data?.items.length === 0 && (
        <Empty icon="users" title="No groups yet">
          {noGroupsWords(admin)}
        </Empty>
      )}
      {list.data && list.data.items.length > 0 && (
        <div className={`card ${page.scroll}`}>
          <table className={page.table}>
            <thead>
              <tr>
                <th>Group</th>
                <th>Members</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {list.data.items.map((group) => (
                <tr key={group.id}>
                  <td>
                    <code>{group.name}</code>
                  </td>
                  <td>{group.members.map(named).join(", ") || <span className="dim">no one</span>}</td>
                  <td className={page.end}>
                    {admin && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`Edit ${group.name}`}
                        onClick={() => setEdited(group)}
                      >
                        Edit
                      </Button>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {edited && <EditGroup group={edited === "new" ? undefined : edited} onClose={() => setEdited(null)} />}
    </>
  );
}
