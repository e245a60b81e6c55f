import { Alert, Button, PasswordInput, TextInput } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useEffect, useState } from "react";
import { api } from "@/api/client";
import { Problem, wordsOf } from "@/api/problems";
import { ROLES } from "@/api/roles";
import type { components } from "@/api/schema";
import { Icon } from "@/ui/icons";
import { Logo } from "@/ui/Logo";
import { Failed, Loading } from "@/ui/States";
import { VisibleText } from "@/ui/text/VisibleText";
import classes from "./signin.module.css";
import { useSignIn } from "./useSignIn";

type Opened = components["schemas"]["OpenedInvitation"];

const SHORTEST = 10;

interface InvitationProps {
  token: string;
  onSignedIn: (identity: string) => void;
}

/** Who invites whom, to what and as what; and the way in. */
export default function Invitation({ token, onSignedIn }: InvitationProps) {
  const { mutate, data, error, isError } = api.useMutation("post", "/api/auth/invitation");
  const look = () => mutate({ body: { token } });
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each invitation
  useEffect(() => {
    document.title = "Invitation · Signoff";
    look();
  }, [token]);
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <Logo size={40} />
          <h1>
            {data ? (
              <>
                Join <VisibleText text={data.workspace} />
              </>
            ) : (
              "Your invitation"
            )}
          </h1>
          <p className="dim">AI agents do the work. People sign off on what is risky.</p>
        </div>
        <div className={`card ${classes.card}`}>
          {data ? (
            <Accept token={token} invitation={data} onSignedIn={onSignedIn} />
          ) : isError ? (
            <Over error={error} retry={look} />
          ) : (
            <Loading lines={3} />
          )}
        </div>
      </div>
    </main>
  );
}

function Over({ error, retry }: { error: unknown; retry: () => void }) {
  if (!(error instanceof Problem) || error.code !== "invitation_over")
    return <Failed what="Couldn't open the invitation" error={error} retry={retry} />;
  return (
    <div className={classes.form}>
      <Alert color="red" variant="light" icon={<Icon name="triangle-alert" />} title="This invitation no longer works">
        {error.detail}
      </Alert>
      <Button variant="default" renderRoot={(props) => <Link {...props} to="/sign-in" search={{}} />}>
        Sign in
      </Button>
    </div>
  );
}

interface AcceptProps extends InvitationProps {
  invitation: Opened;
}

function Accept({ token, invitation, onSignedIn }: AcceptProps) {
  const signIn = useSignIn("/welcome", onSignedIn);
  const [name, setName] = useState(invitation.name);
  const [password, setPassword] = useState("");
  const { accept } = invitation;
  const short = accept === "new" && password !== "" && password.length < SHORTEST;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const own = accept === "new" ? { name: name.trim() } : {};
    signIn.mutate({ body: { token, password: password || null, ...own } });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      <Terms invitation={invitation} />
      {signIn.isError && (
        <Alert color="red" variant="light" icon={<Icon name="triangle-alert" />} title="That didn't work">
          {wordsOf(signIn.error)}
        </Alert>
      )}
      {/* Password managers want to know whose it is. */}
      <input type="text" name="username" autoComplete="username" value={invitation.email} readOnly hidden />
      {accept === "session" && <p>You're signed in with this address, so you join with that account.</p>}
      {accept === "new" && (
        <TextInput
          label="Your name"
          autoComplete="name"
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
      )}
      {accept !== "session" && (
        <PasswordInput
          label={accept === "new" ? "Password (optional)" : "Your password"}
          description={
            accept === "new"
              ? `At least ${SHORTEST} characters. Without one, only this browser stays signed in.`
              : "You already have an account here. Enter its password."
          }
          autoComplete={accept === "new" ? "new-password" : "current-password"}
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      <Button
        type="submit"
        loading={signIn.isPending}
        disabled={short || (accept === "new" && !name.trim()) || (accept === "password" && !password)}
      >
        {accept === "new" && password === "" ? "Join without a password" : "Join"}
      </Button>
      {accept === "new" && (
        <p className={`${classes.aside} small dim`}>
          Already have an account on this server?{" "}
          <Link to="/sign-in" search={{ to: `/sign-in?token=${encodeURIComponent(token)}` }}>
            Sign in with your password
          </Link>{" "}
          first, to keep everything in one account.
        </p>
      )}
    </form>
  );
}

/** What one says yes to. */
function Terms({ invitation: { invited_by, role, email } }: { invitation: Opened }) {
  return (
    <div>
      <p>
        {invited_by ? (
          <>
            <strong>
              <VisibleText text={invited_by.name} />
            </strong>{" "}
            {invited_by.email && <span className="dim">({invited_by.email})</span>}
          </>
        ) : (
          "The owner of this server"
        )}{" "}
        invites <strong>{email}</strong> as <strong>{ROLES[role].label.toLowerCase()}</strong>.
      </p>
      <p className="small dim">{ROLES[role].description}.</p>
    </div>
  );
}
