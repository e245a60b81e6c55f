import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import type { Channel } from "@/api/types";
import { CopyButton } from "@/ui/CopyButton";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { Ago, Countdown } from "@/ui/time/clock";
import { KINDS } from "../channels/channel/channelKinds";
import { useChannels } from "../channels/channel/useChannels";
import classes from "./notifications.module.css";

const LOOK_AGAIN_MS = 3000;

/** Who somebody is in services that do not know people by their address. */
export function LinkedAccounts() {
  const channels = useChannels().data?.items.filter(({ takes_link_codes }) => takes_link_codes) ?? [];
  if (channels.length === 0) return null;
  return (
    <section className={`card ${page.panel}`} aria-label="Your accounts elsewhere">
      <h2>Your accounts elsewhere</h2>
      <p className="small dim">
        These services don’t know your address. Link your account to decide there as yourself.
      </p>
      {channels.map((channel) => (
        <Account key={channel.id} channel={channel} />
      ))}
    </section>
  );
}

function Account({ channel: { id, kind, name } }: { channel: Channel }) {
  const queries = useQueryClient();
  const params = { path: { channel_id: id } };
  const reread = () => queries.invalidateQueries({ queryKey: keyOf("/api/me/accounts") });
  const link = api.useMutation("post", "/api/channels/{channel_id}/link-code", { onError: failed });
  const unlink = api.useMutation("delete", "/api/channels/{channel_id}/account", {
    onSuccess: () => {
      link.reset();
      said(`Your ${KINDS[kind].label} account is unlinked.`);
      return reread();
    },
    onError: failed,
  });
  const code = link.data;
  // Nobody tells when the code has been sent.
  const mine = api.useQuery("get", "/api/me/accounts", {}, { refetchInterval: code ? LOOK_AGAIN_MS : false });
  if (mine.isPending) return <Loading lines={1} />;
  if (!mine.data) return <Failed what="Couldn't load your accounts" error={mine.error} retry={() => mine.refetch()} />;
  const account = mine.data.items.find(({ channel_id }) => channel_id === id);
  return (
    <div className={classes.account}>
      <div className="row wrap">
        <p className="grow">
          {name}{" "}
          <span className="small dim">
            {account ? (
              <>
                linked as {account.account}, <Ago at={account.linked_at} />
              </>
            ) : (
              "not linked"
            )}
          </span>
        </p>
        {account ? (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Unlink ${name}`}
            loading={unlink.isPending}
            onClick={() => unlink.mutate({ params })}
          >
            Unlink
          </Button>
        ) : (
          <Button
            size="compact-sm"
            variant="default"
            aria-label={`Link account: ${name}`}
            loading={link.isPending}
            onClick={() => link.mutate({ params })}
          >
            Link account
          </Button>
        )}
      </div>
      {code && !account && (
        <div className={classes.code} role="status">
          <p className="grow">
            {code.instructions} <span className="dim">It is good once: </span>
            <Countdown at={code.expires_at} />.
          </p>
          <CopyButton size="compact-sm" text={() => code.code} label="Copy the code" />
        </div>
      )}
    </div>
  );
}
