import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import { ROLE_CHOICES, ROLES, type Role } from "@/api/roles";
import { CopyButton } from "@/ui/CopyButton";
import { VisibleText } from "@/ui/text/VisibleText";
import classes from "./settings.module.css";

const LONGEST_EMAIL = 320;

export function AddMember({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = api.useMutation("post", "/api/invitations", {
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf("/api/members") }),
  });
  const [bad, setBad] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = emailProblem(email);
    setBad(problem);
    if (!problem) invite.mutate({ body: { name: name.trim(), email: email.trim(), role } });
  };
  if (invite.data) {
    return <Invitation name={name.trim()} url={invite.data.url} onClose={onClose} />;
  }
  return (
    <Modal opened onClose={onClose} title="Invite a member" closeButtonProps={{ "aria-label": "Close" }}>
      <form className="stack" onSubmit={submit} noValidate>
        <TextInput label="Name" data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextInput
          label="Email"
          type="email"
          value={email}
          error={bad}
          onChange={(event) => {
            setEmail(event.currentTarget.value);
            setBad(null);
          }}
        />
        <NativeSelect
          label="Role"
          description={ROLES[role].description}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
          data={ROLE_CHOICES}
        />
        {invite.isError && (
          <p role="alert" className={classes.bad}>
            {wordsOf(invite.error)}
          </p>
        )}
        <Button type="submit" loading={invite.isPending} disabled={!name.trim() || !email.trim()}>
          Invite
        </Button>
      </form>
    </Modal>
  );
}

/** What is wrong with an address, as far as it can be seen: one name, one @, one domain, no spaces. */
export function emailProblem(written: string): string | null {
  const email = written.trim();
  if (/\s/.test(email)) return "An email address has no spaces.";
  const [name, domain, ...rest] = email.split("@");
  if (domain === undefined) return "An email address has an @, like ada@example.com.";
  if (rest.length > 0) return "One address only, with one @.";
  if (!name) return "Something is missing before the @.";
  if (!domain) return "Something is missing after the @.";
  return email.length > LONGEST_EMAIL ? `At most ${LONGEST_EMAIL} characters.` : null;
}

/** The link is shown once: whoever opens it becomes this member. */
function Invitation({ name, url, onClose }: { name: string; url: string; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="Send this link" closeButtonProps={{ "aria-label": "Close" }}>
      <div className="stack">
        <p>
          It lets <VisibleText text={name} /> in, works once and ends after a week. Send it to nobody else: whoever
          opens it is them.
        </p>
        <div className={classes.secret}>
          <code>{url}</code>
          <CopyButton text={() => url} />
        </div>
        <Button onClick={onClose}>Done</Button>
      </div>
    </Modal>
  );
}
