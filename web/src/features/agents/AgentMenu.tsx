import { Menu } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import type { Agent } from "@/api/types";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";

/** What is rarely done with an agent. */
export function AgentMenu({ agent }: { agent: Agent }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [asked, setAsked] = useState(false);
  const remove = api.useMutation("delete", "/api/agents/{slug}", {
    onSuccess: async () => {
      said(`${agent.name} is deleted.`);
      await navigate({ to: "/agents" });
      await queries.invalidateQueries({ queryKey: keyOf("/api/agents") });
    },
    onError: failed,
  });
  return (
    <>
      <DropdownButton
        className={page.more}
        label={`More about ${agent.name}`}
        menu={(close) => (
          <DropdownMenu position="bottom-end" width={180} onClose={close}>
            <Menu.Item leftSection={<Icon name="trash-2" />} onClick={() => setAsked(true)}>
              Delete
            </Menu.Item>
          </DropdownMenu>
        )}
      >
        <Icon name="more" />
      </DropdownButton>
      {asked && (
        <ConfirmDialog
          title={`Delete ${agent.name}?`}
          action="Delete"
          danger
          pending={remove.isPending}
          onConfirm={() => remove.mutate({ params: { path: { slug: agent.slug } } })}
          onClose={() => setAsked(false)}
        >
          Nobody can start it after this. Current runs continue, and past runs stay.
        </ConfirmDialog>
      )}
    </>
  );
}
