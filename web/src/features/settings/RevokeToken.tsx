import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";

export function RevokeToken({ token }: { token: { id: string; name: string } }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState(false);
  const revoke = api.useMutation("delete", "/api/tokens/{token_id}", {
    onSuccess: () => {
      said(`${token.name} no longer works.`);
      return queries.invalidateQueries({ queryKey: keyOf("/api/tokens") });
    },
    onError: failed,
  });
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setAsked(true)}>
        Revoke
      </Button>
      {asked && (
        <ConfirmDialog
          title={`Revoke ${token.name}?`}
          action="Revoke"
          danger
          pending={revoke.isPending}
          onConfirm={() => revoke.mutate({ params: { path: { token_id: token.id } } })}
          onClose={() => setAsked(false)}
        >
          Anything that uses it stops working. This can't be undone.
        </ConfirmDialog>
      )}
    </>
  );
}
