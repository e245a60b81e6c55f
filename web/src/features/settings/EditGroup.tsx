import { Button, Checkbox, Modal, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import { said } from "@/ui/overlay/toast";
import classes from "./settings.module.css";

interface EditGroupProps {
  group?: { id: string; name: string; members: string[] };
  onClose: () => void;
}

export function EditGroup({ group, onClose }: EditGroupProps) {
  const queries = useQueryClient();
  const people = api.useQuery("get", "/api/members", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const [name, setName] = useState(group?.name ?? "");
  const [members, setMembers] = useState(group?.members ?? []);
  const done = async (words: string) => {
    said(words);
    await queries.invalidateQueries({ queryKey: keyOf("/api/groups") });
    onClose();
  };
  const create = api.useMutation("post", "/api/groups", { onSuccess: () => done("Group created.") });
  const change = api.useMutation("patch", "/api/groups/{group_id}", { onSuccess: () => done("Saved.") });
  const remove = api.useMutation("delete", "/api/groups/{group_id}", {
    onSuccess: () => done("Group deleted."),
  });
  const error = create.error ?? change.error ?? remove.error;
  const pending = create.isPending || change.isPending;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (group) change.mutate({ params: { path: { group_id: group.id } }, body: { members } });
    else create.mutate({ body: { name: name.trim(), members } });
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={group ? `Group ${group.name}` : "New group"}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <form className="stack" onSubmit={submit}>
        {!group && (
          <TextInput
            label="Name"
            description="Lowercase letters, digits and hyphens, like finance."
            data-autofocus
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
        )}
        <fieldset className={classes.people}>
          <legend>Members</legend>
          {people.map(({ id, email, name: who }) => (
            <Checkbox
              key={id}
              label={`${who} (${email})`}
              checked={members.includes(email)}
              onChange={(event) =>
                setMembers(event.currentTarget.checked ? [...members, email] : members.filter((each) => each !== email))
              }
            />
          ))}
        </fieldset>
        {error != null && (
          <p role="alert" className={classes.bad}>
            {wordsOf(error)}
          </p>
        )}
        <div className="row" style={{ justifyContent: "flex-end" }}>
          {group && (
            <Button
              variant="subtle"
              color="red"
              mr="auto"
              loading={remove.isPending}
              title="Rules that name it will reach no one"
              onClick={() => remove.mutate({ params: { path: { group_id: group.id } } })}
            >
              Delete group
            </Button>
          )}
          <Button
            type="submit"
            loading={pending}
            disabled={!group && !/^[a-z0-9]+([-_.][a-z0-9]+)*$/.test(name.trim())}
          >
            {group ? "Save" : "Create group"}
          </Button>
        </div>
      </form>
    </Modal>
  );
}
