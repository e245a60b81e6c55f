import { api } from "@/api/client";

/** From how records name somebody, an email address, to how people do. */
export function useNames(): (label: string) => string {
  const members = api.useQuery("get", "/api/members", { params: { query: { limit: 200 } } }).data?.items;
  return (label) => members?.find(({ email }) => email === label)?.name || label;
}
