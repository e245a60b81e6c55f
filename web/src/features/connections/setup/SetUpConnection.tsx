import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { api } from "@/api/client";
import type { Connection, ConnectionKind } from "@/api/types";
import { LeaveQuestion } from "@/ui/overlay/LeaveQuestion";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Loading } from "@/ui/States";
import { TestOutcome, useConnectionTest } from "../connection/ConnectionTest";
import { slugOf } from "../connection/connectionKinds";
import { useRereadConnections } from "../connection/useConnections";
import { ConnectionTools } from "../tools/ConnectionTools";
import { ConnectionForm } from "./ConnectionForm";
import { bodyOf, type KnownServer, newDraft, refusalOf, savedDraft } from "./connectionDraft";
import { DeleteConnection } from "./DeleteConnection";
import classes from "./setup.module.css";
import { useKnownServers } from "./useKnownServers";

interface NewProps {
  kind: ConnectionKind;
  /** The well-known server that it is for. */
  ready?: string;
  taken: string[];
  onMade: (connection: Connection) => void;
}

/** A new connection: what to enter, once it is known what is filled in already. */
export function SetUpNewConnection({ ready, ...rest }: NewProps) {
  const known = useKnownServers();
  if (ready && known.isPending) return <Loading lines={4} />;
  return <NewConnection {...rest} known={known.data?.items.find(({ slug }) => slug === ready)} />;
}

function NewConnection({ kind, known, taken, onMade }: Omit<NewProps, "ready"> & { known?: KnownServer }) {
  const reread = useRereadConnections();
  const [begun] = useState(() => newDraft(kind, taken, known));
  const [draft, setDraft] = useState(begun);
  const create = api.useMutation("post", "/api/connections", {
    onSuccess: async (connection) => {
      await reread();
      onMade(connection);
    },
  });
  return (
    <div className={classes.parts}>
      {known && (
        <p className="dim">
          {known.description} {known.docs}
        </p>
      )}
      <ConnectionForm
        kind={kind}
        draft={draft}
        refusal={refusalOf(create.error, kind)}
        pending={create.isPending}
        changed
        onChange={(next) => setDraft({ ...next, slug: slugOf(next.name) })}
        onSave={() => create.mutate({ body: { kind, slug: draft.slug, ...bodyOf(kind, draft) } })}
      />
      <LeaveQuestion unsaved={() => draft !== begun} />
    </div>
  );
}

interface ChangeProps {
  connection: Connection;
  /** It was set up just now, so it is tried at once. */
  fresh: boolean;
}

/** A connection that is there: whether it works, its tools, its settings, and the way to be rid of it. */
export function ChangeConnection({ connection, fresh }: ChangeProps) {
  const { id, kind } = connection;
  const heading = useRef<HTMLHeadingElement>(null);
  const reread = useRereadConnections();
  const [draft, setDraft] = useState(() => savedDraft(connection));
  const changed = JSON.stringify(draft) !== JSON.stringify(savedDraft(connection));
  const path = { params: { path: { connection_id: id } } };
  const save = api.useMutation("patch", "/api/connections/{connection_id}", {
    onSuccess: async (saved) => {
      setDraft(savedDraft(saved));
      said("Saved.");
      // The button that was pressed has nothing left to save, and a disabled one has no focus.
      heading.current?.focus();
      await reread();
    },
  });
  return (
    <div className={classes.parts}>
      <TryConnection connection={connection} fresh={fresh} unsaved={changed} />
      <ConnectionTools connection={connection} />
      <ConnectionForm
        kind={kind}
        saved={connection}
        draft={draft}
        refusal={refusalOf(save.error, kind)}
        pending={save.isPending}
        changed={changed}
        heading={heading}
        onChange={setDraft}
        onSave={() => save.mutate({ ...path, body: bodyOf(kind, draft, connection) })}
      />
      <DeleteConnection connection={connection} />
      <LeaveQuestion unsaved={() => changed} />
    </div>
  );
}

function TryConnection({ connection, fresh, unsaved }: ChangeProps & { unsaved: boolean }) {
  const test = useConnectionTest();
  const { mutate } = test;
  const { id, name, last_error } = connection;
  useEffect(() => {
    if (fresh) mutate({ params: { path: { connection_id: id } } });
  }, [fresh, id, mutate]);
  const untried = !test.data && !test.isError && !test.isPending;
  return (
    <section className={`card ${page.panel}`} aria-label="Test">
      <h2>{fresh ? `${name} is set up` : "Test"}</h2>
      {untried && last_error && <p className={classes.bad}>{last_error}</p>}
      <TestOutcome test={test} />
      <div className="row wrap">
        <Button
          variant="default"
          loading={test.isPending}
          disabled={unsaved}
          onClick={() => mutate({ params: { path: { connection_id: id } } })}
        >
          {fresh ? "Test again" : "Test"}
        </Button>
        {connection.settings.auth === "oauth" && <SignInThere connection={connection} disabled={unsaved} />}
        {unsaved && <span className="small dim">Save your changes first.</span>}
      </div>
    </section>
  );
}

/** Its server wants an admin to sign in, on a page of its own. */
function SignInThere({ connection, disabled }: { connection: Connection; disabled: boolean }) {
  const reread = useRereadConnections();
  const signIn = api.useMutation("post", "/api/connections/{connection_id}/sign-in", {
    onSuccess: async ({ url }) => {
      // The server names the page: nothing but a page is opened.
      if (url && /^https?:/.test(url)) {
        window.open(url, "_blank", "noopener");
        said("Sign in on the page that has opened, then test it here.");
      } else if (!url) said("Signed in already.");
      await reread();
    },
    onError: failed,
  });
  return (
    <Button
      loading={signIn.isPending}
      disabled={disabled}
      onClick={() => signIn.mutate({ params: { path: { connection_id: connection.id } } })}
    >
      Sign in there
    </Button>
  );
}
