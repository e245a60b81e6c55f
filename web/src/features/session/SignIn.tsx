import { Alert, Button, Loader, PasswordInput, SegmentedControl, TextInput } from "@mantine/core";
import { type FormEvent, lazy, Suspense, useEffect, useState } from "react";
import { isProblem, wordsOf } from "@/api/problems";
import { Icon } from "@/ui/icons";
import { Logo } from "@/ui/Logo";
import { MailedLink } from "./MailedLink";
import classes from "./signin.module.css";
import { isSignedIn, useEnter, useSignIn } from "./useSignIn";

interface SignInProps {
  /** From a one-time link. */
  token?: string;
  /** Where the person wanted to go. */
  to?: string;
  onSignedIn: (identity: string) => void;
}

const Invitation = lazy(() => import("./Invitation"));

// A one-time link must be sent once, also when React mounts the page twice.
const sent = new Set<string>();

export function SignIn({ token, to, onSignedIn }: SignInProps) {
  if (token?.startsWith("inv_"))
    return (
      <Suspense>
        <Invitation token={token} onSignedIn={onSignedIn} />
      </Suspense>
    );
  return <SignInForm token={token} to={to} onSignedIn={onSignedIn} />;
}

function SignInForm({ token, to, onSignedIn }: SignInProps) {
  const signIn = useSignIn(to, onSignedIn);
  const { mutate } = signIn;
  const enter = useEnter(to);
  const [stranger, setStranger] = useState(false);
  // Whose link is wanted by mail, as far as it is written.
  const [mailTo, setMailTo] = useState<string | null>(null);
  useEffect(() => {
    document.title = "Sign in · Signoff";
  }, []);
  useEffect(() => {
    if (!token || sent.has(token)) return;
    sent.add(token);
    // Who opens an old link again may be signed in anyway.
    const onError = async () => ((await isSignedIn()) ? enter() : setStranger(true));
    mutate({ body: { token } }, { onError });
  }, [token, mutate, enter]);
  const arriving = Boolean(token) && !stranger;
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <Logo size={40} />
          <h1>{arriving ? "Signing you in" : "Sign in to Signoff"}</h1>
          <p className="dim">AI agents do the work. People sign off on what is risky.</p>
        </div>
        <div className={`card ${classes.card}`}>
          {arriving ? (
            <div className={classes.going} role="status">
              <Loader size="sm" /> One moment…
            </div>
          ) : mailTo !== null ? (
            <MailedLink known={mailTo} onBack={() => setMailTo(null)} />
          ) : (
            <Form signIn={signIn} link={token} onMail={setMailTo} />
          )}
        </div>
        <p className={`${classes.help} small dim`}>
          No link? If you run Signoff on this computer, <code>signoff link</code> prints one.
        </p>
      </div>
    </main>
  );
}

interface FormProps {
  signIn: ReturnType<typeof useSignIn>;
  link?: string;
  /** They would rather have a link by mail. */
  onMail: (email: string) => void;
}

function Form({ signIn, link, onMail }: FormProps) {
  const [way, setWay] = useState(link ? "token" : "password");
  const [token, setToken] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    signIn.mutate({ body: way === "token" ? { token: tokenIn(token) } : { email: email.trim(), password } });
  };
  return (
    <form className={classes.form} onSubmit={submit}>
      {signIn.isError && <Refused error={signIn.error} link={token === "" && email === "" ? link : undefined} />}
      <SegmentedControl
        fullWidth
        value={way}
        onChange={setWay}
        aria-label="Way to sign in"
        data={[
          { value: "password", label: "Email and password" },
          { value: "token", label: "Link or token" },
        ]}
      />
      {way === "token" ? (
        <TextInput
          label="Sign-in link or API token"
          placeholder="Paste it here"
          required
          withAsterisk={false}
          autoComplete="off"
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
        />
      ) : (
        <>
          <TextInput
            label="Email"
            type="email"
            required
            withAsterisk={false}
            autoComplete="username"
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <PasswordInput
            label="Password"
            required
            withAsterisk={false}
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        </>
      )}
      <Button type="submit" loading={signIn.isPending}>
        Sign in
      </Button>
      <Button variant="subtle" onClick={() => onMail(email)}>
        Email me a sign-in link
      </Button>
    </form>
  );
}

function Refused({ error, link }: { error: unknown; link?: string }) {
  const used = link && [401, 403, 422].some((status) => isProblem(error, status));
  return (
    <Alert
      color="red"
      variant="light"
      icon={<Icon name="triangle-alert" />}
      title={used ? "This sign-in link no longer works" : "That didn't work"}
    >
      {used ? (
        <>
          It was used already or has expired; each link works once. Ask an admin for a new one, or run{" "}
          <code>signoff link</code> where Signoff runs.
        </>
      ) : (
        wordsOf(error)
      )}
    </Alert>
  );
}

/** People paste the whole link as well as the token in it. */
export function tokenIn(pasted: string): string {
  return /[?&]token=([^&\s]+)/.exec(pasted)?.[1] ?? pasted.trim();
}
