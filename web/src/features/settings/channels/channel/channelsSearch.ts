import type { ChannelKind, Delivery } from "@/api/types";
import { textIn } from "@/ui/list/searchParam";
import { isKind } from "./channelKinds";

/** What of the channels is shown: all of them, one, a new one (of a kind), or what was sent. */
export interface ChannelsSearch {
  /** A channel's id. */
  channel?: string;
  /** A new one, of a kind that is chosen or not yet. */
  add?: ChannelKind | "any";
  view?: "deliveries";
  status?: Delivery["status"];
}

export const STATUSES: Record<Delivery["status"], string> = {
  queued: "Queued",
  sending: "Sending",
  sent: "Sent",
  failed: "Failed",
  cancelled: "Cancelled",
};

const isStatus = (status: unknown): status is Delivery["status"] => typeof status === "string" && status in STATUSES;

export const channelsSearch = (search: Record<string, unknown>): ChannelsSearch => ({
  channel: textIn(search.channel),
  add: isKind(search.add) || search.add === "any" ? search.add : undefined,
  view: search.view === "deliveries" ? "deliveries" : undefined,
  status: isStatus(search.status) ? search.status : undefined,
});
