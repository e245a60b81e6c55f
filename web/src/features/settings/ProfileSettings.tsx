import { Button, PasswordInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { wordsOf } from "@/api/problems";
import { ROLES } from "@/api/roles";
import { CopyButton } from "@/ui/CopyButton";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Fields } from "@/ui/values/Values";
import { OnlyHere } from "./members/OnlyHere";
import { HowToGetMail, NoMail } from "./notifications/NoMail";
import { OwnName } from "./OwnName";
import classes from "./settings.module.css";

const SHORTEST = 10;

export function ProfileSettings() {
  const { user, workspace, role } = useMe();
  return (
    <div className={classes.parts}>
      <section className={`card ${page.panel}`} aria-label="You">
        <h2>You</h2>
        <Fields
          values={[
            ["email", user.email],
            ["workspace", workspace.name],
            ["role", `${ROLES[role].label}. ${ROLES[role].description}.`],
          ]}
        />
        <NoMail email={user.email}>
          <HowToGetMail email={user.email} admin={role === "admin"} />
        </NoMail>
      </section>
      <OwnName name={user.name} />
      <Password email={user.email} />
      <SignInLink />
    </div>
  );
}

function Password({ email }: { email: string }) {
  const [old, setOld] = useState("");
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const save = api.useMutation("post", "/api/auth/password", {
    onSuccess: () => {
      said("Your password is set. Your other sessions are signed out.");
      setOld("");
      setPassword("");
      setAgain("");
    },
  });
  const differs = again !== "" && again !== password;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    save.mutate({ body: { password, old_password: old || null } });
  };
  return (
    <form className={`card ${page.panel}`} aria-label="Password" onSubmit={submit}>
      <h2>Password</h2>
      <p className="small dim">With a password you can sign in without a link.</p>
      {/* Password managers want to know whose it is. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <PasswordInput
        label="Old password"
        description="Not needed within ten minutes of signing in."
        autoComplete="current-password"
        value={old}
        onChange={(event) => setOld(event.currentTarget.value)}
      />
      <PasswordInput
        label="New password"
        description={`At least ${SHORTEST} characters.`}
        autoComplete="new-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <PasswordInput
        label="Repeat password"
        autoComplete="new-password"
        value={again}
        error={differs ? "The passwords don't match." : undefined}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      {save.isError && (
        <p role="alert" className={classes.bad}>
          {wordsOf(save.error)}
        </p>
      )}
      <Button
        type="submit"
        style={{ alignSelf: "flex-start" }}
        loading={save.isPending}
        disabled={password.length < SHORTEST || password !== again}
      >
        Set password
      </Button>
    </form>
  );
}

/** For a phone, or another browser. */
function SignInLink() {
  const make = api.useMutation("post", "/api/auth/links", { onError: failed });
  return (
    <section className={`card ${page.panel}`} aria-label="Sign in elsewhere">
      <h2>Sign in elsewhere</h2>
      <p className="small dim">
        A link for your phone or another browser. It works once. Keep it private: it signs in as you.
      </p>
      {make.data ? (
        <>
          <div className={classes.secret}>
            <code>{make.data.url}</code>
            <CopyButton text={() => make.data.url} />
          </div>
          <OnlyHere url={make.data.url} />
        </>
      ) : (
        <Button
          variant="default"
          style={{ alignSelf: "flex-start" }}
          loading={make.isPending}
          onClick={() => make.mutate({})}
        >
          Create a link
        </Button>
      )}
    </section>
  );
}
