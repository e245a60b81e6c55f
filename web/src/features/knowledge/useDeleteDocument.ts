import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { failed, said } from "@/ui/overlay/toast";

export function useDeleteDocument() {
  const queries = useQueryClient();
  const remove = api.useMutation("delete", "/api/documents/{document_id}", {
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf("/api/documents") }),
    onError: failed,
  });
  return {
    pending: remove.isPending,
    document: (id: string, onDone: () => void) =>
      remove.mutate(
        { params: { path: { document_id: id } } },
        {
          onSuccess: () => {
            onDone();
            said("Deleted. Agents no longer find it.");
          },
        },
      ),
  };
}
