import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import { ROLE_CHOICES, ROLES, type Role } from "@/api/roles";
import classes from "../settings.module.css";
import { InvitationLink } from "./InvitationLink";

const LONGEST_EMAIL = 320;

export function AddMember({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const invite = api.useMutation("post", "/api/invitations", {
    onSuccess: () =>
      Promise.all(
        [keyOf("/api/members"), keyOf("/api/invitations")].map((queryKey) => queries.invalidateQueries({ queryKey })),
      ),
  });
  const [bad, setBad] = useState<string | null>(null);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const problem = emailProblem(email);
    setBad(problem);
    if (!problem) invite.mutate({ body: { name: name.trim(), email: email.trim(), role } });
  };
  if (invite.data) return <InvitationLink invitation={invite.data} onClose={onClose} />;
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
