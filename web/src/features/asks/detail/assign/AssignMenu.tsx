import { Menu } from "@mantine/core";
import { api } from "@/api/client";
import type { Ask } from "@/api/types";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import { mightBeAmong, namedFor } from "../../decision/mayDecide";

interface AssignMenuProps {
  ask: Ask;
  who: string | null | undefined;
  me: string;
  onGive: (email: string | null) => void;
  onClose: () => void;
}

export default function AssignMenu({ ask, who, me, onGive, onClose }: AssignMenuProps) {
  return (
    <DropdownMenu position="bottom-start" width={240} onClose={onClose}>
      {who !== me && <Menu.Item onClick={() => onGive(me)}>Assign to me</Menu.Item>}
      {who && <Menu.Item onClick={() => onGive(null)}>Unassign</Menu.Item>}
      <Members ask={ask} except={me} onChoose={onGive} />
    </DropdownMenu>
  );
}

interface MembersProps {
  ask: Ask;
  except: string;
  onChoose: (email: string) => void;
}

function Members({ ask, except, onChoose }: MembersProps) {
  // Only a rule names people; without one, whoever it is handed to may decide.
  const named = ask.rule ? namedFor(ask) : ["member"];
  const members = api.useQuery("get", "/api/members", { params: { query: { limit: 200 } } });
  const groups = api.useQuery(
    "get",
    "/api/groups",
    { params: { query: { limit: 200 } } },
    { enabled: named.some((each) => each.startsWith("group:")) },
  );
  if (members.isPending || groups.isLoading) return <Menu.Label>Loading…</Menu.Label>;
  const others = (members.data?.items ?? []).filter(({ email, role, user_id }) => {
    const inGroup = (name: string) =>
      (groups.data?.items ?? []).some((group) => group.name === name && group.members.includes(email));
    return (
      email !== except && role !== "viewer" && mightBeAmong({ role, user: { id: user_id, email } }, named, inGroup)
    );
  });
  if (others.length === 0) return <Menu.Label>No one else can decide this</Menu.Label>;
  return (
    <>
      <Menu.Label>Assign to</Menu.Label>
      {others.map(({ email, name }) => (
        <Menu.Item key={email} onClick={() => onChoose(email)}>
          {name || email}
        </Menu.Item>
      ))}
    </>
  );
}
