import { Button, Modal, NativeSelect, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/keys";
import { wordsOf } from "@/api/problems";
import { ROLE_CHOICES, ROLES, type Role } from "@/features/session/roles";
import { said } from "@/ui/toast";
import classes from "./settings.module.css";

export function AddMember({ onClose }: { onClose: () => void }) {
  const queries = useQueryClient();
  const [name, setName] = useState("");
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("member");
  const add = api.useMutation("post", "/api/members", {
    onSuccess: async (member) => {
      said(`${member.name} is ${ROLES[member.role].label.toLowerCase()} now.`);
      await queries.invalidateQueries({ queryKey: keyOf("/api/members") });
      onClose();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    add.mutate({ body: { name: name.trim(), email: email.trim(), role } });
  };
  return (
    <Modal opened onClose={onClose} title="Add a member" closeButtonProps={{ "aria-label": "Close" }}>
      <form className="stack" onSubmit={submit}>
        <TextInput label="Name" data-autofocus value={name} onChange={(event) => setName(event.currentTarget.value)} />
        <TextInput label="Email" type="email" value={email} onChange={(event) => setEmail(event.currentTarget.value)} />
        <NativeSelect
          label="Role"
          description={ROLES[role].means}
          value={role}
          onChange={(event) => setRole(event.currentTarget.value as Role)}
          data={ROLE_CHOICES}
        />
        {add.isError && (
          <p role="alert" className={classes.bad}>
            {wordsOf(add.error)}
          </p>
        )}
        <Button type="submit" loading={add.isPending} disabled={!name.trim() || !email.includes("@")}>
          Add
        </Button>
      </form>
    </Modal>
  );
}
