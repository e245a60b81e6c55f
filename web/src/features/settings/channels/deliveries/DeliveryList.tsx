import { Button, NativeSelect } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { serverNow } from "@/api/serverTime";
import type { Channel, Delivery } from "@/api/types";
import { LoadMore } from "@/ui/list/LoadMore";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { type ChannelsSearch, STATUSES } from "../channel/channelsSearch";
import { DeliveryRow } from "./DeliveryRow";
import classes from "./deliveries.module.css";
import { lookAgainMs } from "./deliveryWords";
import { SendFailedAgain } from "./SendFailedAgain";

interface DeliveryListProps {
  channels: Channel[];
  search: ChannelsSearch;
}

/** What was sent outside the app and what is about to be, newest first. */
export function DeliveryList({ channels, search }: DeliveryListProps) {
  const member = useMay("member");
  if (!member) return <p className="dim">{needsWords("member", "see deliveries")}</p>;
  return <Deliveries channels={channels} search={search} />;
}

function useDeliveries({ channel, status }: ChannelsSearch) {
  return api.useInfiniteQuery(
    "get",
    "/api/deliveries",
    { params: { query: { channel, status, limit: 50 } } },
    {
      initialPageParam: null,
      getNextPageParam: (last) => last.next_cursor,
      pageParamName: "cursor",
      placeholderData: keepPreviousData,
      staleTime: 0,
      // Only while the page can be seen.
      refetchInterval: ({ state }) =>
        lookAgainMs(state.data?.pages.flatMap(({ items }) => items as Delivery[]) ?? [], serverNow(Date.now())),
    },
  );
}

function Deliveries({ channels, search }: DeliveryListProps) {
  const navigate = useNavigate();
  const admin = useMay("admin");
  const { channel, status } = search;
  const list = useDeliveries(search);
  const items = list.data?.pages.flatMap((each) => each.items) ?? [];
  const set = (change: ChannelsSearch) =>
    navigate({
      to: "/settings",
      search: { section: "channels", view: "deliveries", channel, status, ...change },
      replace: true,
    });
  const filtered = Boolean(channel || status);
  const chosen = channels.find(({ id }) => id === channel);
  return (
    <>
      <search className={page.filters}>
        <NativeSelect
          label="Channel"
          value={channel ?? ""}
          onChange={(event) => set({ channel: event.currentTarget.value || undefined })}
          data={[{ value: "", label: "All channels" }, ...channels.map(({ id, name }) => ({ value: id, label: name }))]}
        />
        <NativeSelect
          label="Status"
          value={status ?? ""}
          onChange={(event) => set({ status: (event.currentTarget.value || undefined) as Delivery["status"] })}
          data={[
            { value: "", label: "Any status" },
            ...Object.entries(STATUSES).map(([value, label]) => ({ value, label })),
          ]}
        />
        {filtered && (
          <Button variant="subtle" color="gray" onClick={() => set({ channel: undefined, status: undefined })}>
            Clear
          </Button>
        )}
        {admin && chosen && <SendFailedAgain channel={chosen} />}
      </search>
      <div className={`card ${page.list}`} aria-busy={list.isPlaceholderData}>
        {list.isPending && <Loading lines={6} />}
        {list.isError && !list.data && (
          <Failed what="Couldn't load the deliveries" error={list.error} retry={() => list.refetch()} />
        )}
        {list.isSuccess && items.length === 0 && (
          <NothingSent
            reason={filtered ? "filtered" : channels.length === 0 ? "no channel" : "none yet"}
            admin={admin}
          />
        )}
        {items.length > 0 && (
          <ul className={`${page.list} ${classes.rows}`} aria-label="Deliveries">
            {items.map((delivery) => (
              <DeliveryRow key={delivery.id} delivery={delivery} />
            ))}
          </ul>
        )}
      </div>
      <LoadMore list={list} />
    </>
  );
}

const LISTED = "Each message that leaves Signoff is listed here: to whom, why, and whether it arrived.";

/** Says why there is nothing, and what to do. */
function NothingSent({ reason, admin }: { reason: "filtered" | "no channel" | "none yet"; admin: boolean }) {
  if (reason === "filtered")
    return (
      <Empty icon="send" title="No matches">
        Nothing was sent that fits. Remove a filter to see the rest.
      </Empty>
    );
  if (reason === "none yet")
    return (
      <Empty icon="send" title="Nothing sent yet">
        {LISTED} Tests are not.
      </Empty>
    );
  const add = (
    <Button renderRoot={(props) => <Link {...props} to="/settings" search={{ section: "channels", add: "any" }} />}>
      Add a channel
    </Button>
  );
  return (
    <Empty icon="send" title="Nothing is sent yet" action={admin && add}>
      {LISTED} There is no channel yet.{!admin && " An admin can add one."}
    </Empty>
  );
}
