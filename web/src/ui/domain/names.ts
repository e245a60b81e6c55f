import { useMemo } from "react";
import { api } from "@/api/client";

const ALL = { params: { query: { limit: 200 } } };

/** How rules and agents name people: by role, by group, or by email. */
export function usePeopleNames(): string[] {
  const groups = api.useQuery("get", "/api/groups", ALL).data?.items;
  const members = api.useQuery("get", "/api/members", ALL).data?.items;
  return useMemo(
    () => [
      "role:approver",
      "role:admin",
      ...(groups ?? []).map(({ name }) => `group:${name}`),
      ...(members ?? []).map(({ email }) => email),
    ],
    [groups, members],
  );
}

/** And channels: by their own names, or all of a kind at once. */
export function useChannelNames(): string[] {
  const channels = api.useQuery("get", "/api/channels", ALL).data?.items;
  return useMemo(() => channelNames(channels ?? []), [channels]);
}

/** How agents name connections. Nothing while they are being read. */
export function useConnectionNames(): string[] | undefined {
  const connections = api.useQuery("get", "/api/connections", ALL).data?.items;
  return useMemo(() => connections?.map(({ slug }) => slug), [connections]);
}

/** Those that no channel has as its name or kind. While nothing is known of channels, none. */
export function missingChannels(named: string[], offered: string[]): string[] {
  const known = offered.map((each) => each.toLowerCase());
  return known.length === 0 ? [] : named.filter((each) => !known.includes(each.toLowerCase()));
}

/** Webhooks follow the events, so nobody is told by them. */
export function channelNames(channels: { name: string; kind: string }[]): string[] {
  const telling = channels.filter(({ kind }) => kind !== "webhook");
  const names = telling.map(({ name }) => name);
  const kinds = telling.map(({ kind }) => kind).filter((kind) => !names.some((name) => name.toLowerCase() === kind));
  return [...new Set([...names, ...kinds])];
}
