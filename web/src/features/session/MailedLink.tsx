import { Alert, Button, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { Icon } from "@/ui/icons";
import classes from "./signin.module.css";

interface MailedLinkProps {
  /** What was written on the form before. */
  known: string;
  onBack: () => void;
}

/** A sign-in link by mail. Whether anybody has this address, nobody is told here. */
export function MailedLink({ known, onBack }: MailedLinkProps) {
  const [email, setEmail] = useState(known);
  const link = api.useMutation("post", "/api/auth/links/mail");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    link.mutate({ body: { email: email.trim() } });
  };
  const back = (
    <Button variant="default" onClick={onBack}>
      Back
    </Button>
  );
  if (link.data)
    return (
      <div className={classes.form}>
        <p role="status">{link.data.text}</p>
        {back}
      </div>
    );
  return (
    <form className={classes.form} onSubmit={submit}>
      {link.isError && (
        <Alert color="red" variant="light" icon={<Icon name="triangle-alert" />} title="That didn't work">
          {wordsOf(link.error)}
        </Alert>
      )}
      <TextInput
        label="Email"
        description="The link works once and signs you in on this device."
        type="email"
        required
        withAsterisk={false}
        autoComplete="email"
        autoFocus
        value={email}
        onChange={(event) => setEmail(event.currentTarget.value)}
      />
      <Button type="submit" loading={link.isPending}>
        Email me a sign-in link
      </Button>
      {back}
    </form>
  );
}
