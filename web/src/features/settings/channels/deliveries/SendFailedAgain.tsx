import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import type { Channel } from "@/api/types";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import { useRereadDeliveries } from "./useSendAgain";

const counted = (count: number): string => (count === 1 ? "1 message" : `${count} messages`);

/** All that failed for good by one channel, once the channel works again. */
export function SendFailedAgain({ channel: { id, name } }: { channel: Channel }) {
  const reread = useRereadDeliveries();
  const [asked, setAsked] = useState(false);
  const query = { params: { query: { channel: id, status: "failed" as const, limit: 1 } } };
  const count = api.useQuery("get", "/api/deliveries", query, { staleTime: 0 }).data?.total ?? 0;
  const retry = api.useMutation("post", "/api/channels/{channel_id}/retry-failed", {
    onSuccess: ({ queued }) => {
      said(`${counted(queued)} sent again.`);
      setAsked(false);
      return reread();
    },
    onError: failed,
  });
  if (count === 0) return null;
  return (
    <>
      <Button variant="default" onClick={() => setAsked(true)}>
        Send all failed again ({count})
      </Button>
      {asked && (
        <ConfirmDialog
          title={`Send ${counted(count)} again by ${name}?`}
          action="Send again"
          pending={retry.isPending}
          onConfirm={() => retry.mutate({ params: { path: { channel_id: id } } })}
          onClose={() => setAsked(false)}
        >
          Send a test first, to see that the channel works. What was settled meanwhile is not sent.
        </ConfirmDialog>
      )}
    </>
  );
}
