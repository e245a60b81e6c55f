import { Button, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { keyOf } from "@/api/queryKeys";
import { useMay } from "@/api/roles";
import type { components } from "@/api/schema";
import { failed, said } from "@/ui/overlay/toast";
import { Failed, Loading } from "@/ui/States";
import { dayAfter, endOf, startOf } from "./awayDates";

type Delegation = components["schemas"]["DelegationOut"];
const LIST = { params: { query: { limit: 50 } } };

/** Let a colleague decide while one is away. */
export default function AwaySettings() {
  const { user } = useMe();
  const list = api.useQuery("get", "/api/delegations", LIST);
  if (list.isPending) return <Loading lines={3} />;
  if (list.isError)
    return <Failed what="Couldn't load who decides for you" error={list.error} retry={() => list.refetch()} />;
  const own = list.data.items.some(({ absent }) => absent.email === user.email);
  return (
    <div className="stack">
      <p className="dim">
        Asks that name you or one of your groups go to a colleague, too. Any approver can decide the others anyway: if
        no rule names you, nothing is handed over. What your colleague signs for you counts as your signature; what they
        sign in their own name is theirs.
      </p>
      {list.data.items.map((each) => (
        <DelegationRow key={each.id} delegation={each} me={user.email} />
      ))}
      {!own && <HandOver me={user.email} />}
    </div>
  );
}

/** Read again, also the banner, and what waits: a signature for somebody counts only while it holds. */
function useReread() {
  const queries = useQueryClient();
  const paths = ["/api/delegations", "/api/asks", "/api/asks/count"] as const;
  return () => Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: keyOf(path) })));
}

function DelegationRow({ delegation: { id, absent, deputy, starts_at, ends_at, active }, me }: RowProps) {
  const reread = useReread();
  const end = api.useMutation("delete", "/api/delegations/{delegation_id}", { onSuccess: reread, onError: failed });
  const name = (one: Delegation["absent"]) => (one.email === me ? "you" : one.name || one.email);
  return (
    <div className="card row wrap" style={{ padding: "0.8rem 1rem" }}>
      <span className="grow">
        {active ? "Until" : `${day(starts_at)} to`} {day(ends_at)}: asks that name {name(absent)} go to {name(deputy)},
        too.
      </span>
      <Button
        size="xs"
        variant="default"
        loading={end.isPending}
        onClick={() => end.mutate({ params: { path: { delegation_id: id } } })}
      >
        End now
      </Button>
    </div>
  );
}

interface RowProps {
  delegation: Delegation;
  me: string;
}

const day = (at: string): string => new Date(at).toLocaleDateString("en-GB", { day: "numeric", month: "long" });

function HandOver({ me }: { me: string }) {
  const may = useMay("member");
  const reread = useReread();
  const [deputy, setDeputy] = useState("");
  const [from, setFrom] = useState("");
  const [until, setUntil] = useState("");
  const members = api.useQuery("get", "/api/members", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const others = members.filter(({ email, role, accepted_at }) => email !== me && role !== "viewer" && accepted_at);
  const send = api.useMutation("post", "/api/delegations", {
    onSuccess: (made) => {
      said(`Until ${day(made.ends_at)}, asks that name you go to ${made.deputy.name}, too.`);
      return reread();
    },
    onError: failed,
  });
  if (!may) return null;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send.mutate({ body: { deputy, ends_at: endOf(until), starts_at: startOf(from) } });
  };
  return (
    <form onSubmit={submit} className="stack" style={{ maxWidth: "24rem" }}>
      <NativeSelect
        label="Colleague"
        required
        value={deputy}
        onChange={({ currentTarget }) => setDeputy(currentTarget.value)}
        data={[
          { value: "", label: others.length > 0 ? "Choose a colleague" : "Nobody else is here yet" },
          ...others.map(({ email, name }) => ({ value: email, label: name || email })),
        ]}
      />
      <TextInput
        type="date"
        label="From"
        description="Now, unless you choose a day"
        min={dayAfter(0)}
        value={from}
        onChange={({ currentTarget }) => setFrom(currentTarget.value)}
      />
      <TextInput
        type="date"
        label="Until"
        description="To the end of that day"
        required
        min={from || dayAfter(0)}
        value={until}
        onChange={({ currentTarget }) => setUntil(currentTarget.value)}
      />
      <Button type="submit" loading={send.isPending} disabled={!deputy || !until}>
        Hand over
      </Button>
    </form>
  );
}
