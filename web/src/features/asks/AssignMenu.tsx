import { Menu } from "@mantine/core";
import { api } from "@/api/client";
import { Drop } from "@/ui/Drop";

interface AssignMenuProps {
  who: string | null | undefined;
  me: string;
  onGive: (email: string | null) => void;
  onClose: () => void;
}

export default function AssignMenu({ who, me, onGive, onClose }: AssignMenuProps) {
  return (
    <Drop position="bottom-start" width={240} onClose={onClose}>
      {who !== me && <Menu.Item onClick={() => onGive(me)}>Take it myself</Menu.Item>}
      {who && <Menu.Item onClick={() => onGive(null)}>Nobody in particular</Menu.Item>}
      <Members except={me} onChoose={onGive} />
    </Drop>
  );
}

function Members({ except, onChoose }: { except: string; onChoose: (email: string) => void }) {
  const members = api.useQuery("get", "/api/members", { params: { query: { limit: 200 } } });
  const others = (members.data?.items ?? []).filter(({ email, role }) => email !== except && role !== "viewer");
  if (members.isPending) return <Menu.Label>Loading members …</Menu.Label>;
  if (others.length === 0) return <Menu.Label>Nobody else is here yet</Menu.Label>;
  return (
    <>
      <Menu.Label>Hand it to</Menu.Label>
      {others.map(({ email, name }) => (
        <Menu.Item key={email} onClick={() => onChoose(email)}>
          {name || email}
        </Menu.Item>
      ))}
    </>
  );
}
