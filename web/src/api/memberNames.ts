import { api } from "./client";

/** From how records name somebody, an email address, to how people do. Nobody is looked up before somebody is named. */
export function useMemberNames(wanted = true): (label: string) => string {
  const query = { params: { query: { limit: 200 } } };
  const members = api.useQuery("get", "/api/members", query, { enabled: wanted }).data?.items;
  return (label) => members?.find(({ email }) => email === label)?.name || label;
}
