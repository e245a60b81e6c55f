import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { failed, said } from "@/ui/overlay/toast";

/** Read again what was sent, and how the channels are doing. */
export function useRereadDeliveries() {
  const queries = useQueryClient();
  const paths = ["/api/deliveries", "/api/channels"] as const;
  return () => Promise.all(paths.map((path) => queries.invalidateQueries({ queryKey: keyOf(path) })));
}

export function useSendAgain() {
  const reread = useRereadDeliveries();
  return api.useMutation("post", "/api/deliveries/{delivery_id}/retry", {
    onSuccess: () => {
      said("It is sent again.");
      return reread();
    },
    onError: failed,
  });
}
