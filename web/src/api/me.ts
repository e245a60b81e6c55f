import { api } from "./client";

export const meQuery = () => api.queryOptions("get", "/api/me", {}, { staleTime: Number.POSITIVE_INFINITY });

export function useMe() {
  return api.useSuspenseQuery("get", "/api/me", {}, { staleTime: Number.POSITIVE_INFINITY }).data;
}
