import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import type { Agent } from "@/api/types";
import { Confirm } from "@/ui/Confirm";
import { Icon } from "@/ui/icons";
import { failed, said } from "@/ui/toast";

export function DeleteAgent({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const remove = api.useMutation("delete", "/api/agents/{slug}", {
    onSuccess: async () => {
      said(`${agent.name} is deleted.`);
      await navigate({ to: "/agents" });
      await queries.invalidateQueries({ queryKey: ["get", "/api/agents"] });
    },
    onError: failed,
  });
  return (
    <>
      <Button variant="default" leftSection={<Icon name="trash-2" size={14} />} onClick={() => setAsked(true)}>
        Delete
      </Button>
      {asked && (
        <Confirm
          title={`Delete ${agent.name}?`}
          action="Delete"
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ params: { path: { slug: agent.slug } } })}
          onClose={() => setAsked(false)}
        >
          Nobody can start it any more. Its runs under way go on and its past runs stay. An agent made later under the
          same slug goes on counting its revisions.
        </Confirm>
      )}
    </>
  );
}
