import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import { includes, needsWords, ROLES, type Role, useMay } from "@/api/roles";
import { CopyButton } from "@/ui/CopyButton";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Ago } from "@/ui/time/clock";
import { RevokeToken } from "./RevokeToken";
import classes from "./settings.module.css";

const DAYS = [
  { value: "", label: "Never" },
  { value: "30", label: "After 30 days" },
  { value: "90", label: "After 90 days" },
  { value: "365", label: "After a year" },
];

/** For scripts and other programs. The secret is shown once. */
export function TokenSettings() {
  const member = useMay("member");
  const admin = useMay("admin");
  const [making, setMaking] = useState(false);
  const list = api.useQuery("get", "/api/tokens", { params: { query: { limit: 200 } } }, { enabled: member });
  if (!member) return <p className="dim">{needsWords("member", "use API tokens")}</p>;
  return (
    <>
      <div className="row wrap" style={{ marginBottom: "1rem" }}>
        <p className="dim grow">
          A program with a token acts as its user. {!admin && needsWords("admin", "revoke tokens")}
        </p>
        <Button leftSection={<Icon name="plus" />} onClick={() => setMaking(true)}>
          New token
        </Button>
      </div>
      {list.isPending && <Loading lines={3} />}
      {list.isError && <Failed what="Couldn't load the tokens" error={list.error} retry={() => list.refetch()} />}
      {list.data?.items.length === 0 && (
        <Empty icon="key-round" title="No tokens">
          Create one for a script, for CI, or for the terminal on another machine.
        </Empty>
      )}
      {list.data && list.data.items.length > 0 && (
        <div className={`card ${page.scroll}`}>
          <table className={page.table}>
            <thead>
              <tr>
                <th>Name</th>
                <th>Acts as</th>
                <th>Created</th>
                <th>Expires</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {list.data.items.map((token) => (
                <tr key={token.id}>
                  <td>{token.name}</td>
                  <td>
                    {token.user}
                    {token.scopes.length > 0 && <span className="dim">, as {token.scopes.join(", ")}</span>}
                    {token.standing === "service" && <span className="dim"> (service: can't answer asks)</span>}
                  </td>
                  <td>
                    <Ago at={token.created_at} />
                  </td>
                  <td>{token.expires_at ? new Date(token.expires_at).toLocaleDateString() : "never"}</td>
                  <td className={page.end}>{admin && <RevokeToken token={token} />}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {making && <NewToken onClose={() => setMaking(false)} />}
    </>
  );
}

function NewToken({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const { role } = useMe();
  const [name, setName] = useState("");
  const [scope, setScope] = useState<Role | "">("");
  const [days, setDays] = useState("90");
  const make = api.useMutation("post", "/api/tokens", {
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf("/api/tokens") }),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const expires_at = days ? new Date(Date.now() + Number(days) * 86_400_000).toISOString() : null;
    make.mutate({ body: { name: name.trim(), scopes: scope ? [scope] : [], expires_at } });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={make.data ? "Copy it now" : "New token"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      {make.data ? (
        <div className="stack">
          <p>You won't see it again.</p>
          <div className={classes.secret}>
            <code data-testid="secret">{make.data.token}</code>
            <CopyButton text={() => make.data.token} />
          </div>
          <Button onClick={onClose}>Done</Button>
        </div>
      ) : (
        <form className="stack" onSubmit={submit}>
          <TextInput
            label="Name"
            placeholder="What it is for"
            data-autofocus
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <NativeSelect
            label="Can do"
            description={scope ? ROLES[scope].description : "Everything you can"}
            value={scope}
            onChange={(event) => setScope(event.currentTarget.value as Role | "")}
            data={[
              { value: "", label: "The same as you" },
              ...Object.entries(ROLES)
                .filter(([value]) => includes(role, value as Role))
                .map(([value, { label }]) => ({ value, label: `At most ${label.toLowerCase()}` })),
            ]}
          />
          <NativeSelect
            label="Expires"
            value={days}
            onChange={(event) => setDays(event.currentTarget.value)}
            data={DAYS}
          />
          {make.isError && (
            <p role="alert" className={classes.bad}>
              {wordsOf(make.error)}
            </p>
          )}
          <Button type="submit" loading={make.isPending} disabled={!name.trim()}>
            Create token
          </Button>
        </form>
      )}
    </Modal>
  );
}
