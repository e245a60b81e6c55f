import { api } from "@/api/client";

export const useKnownServers = () => api.useQuery("get", "/api/connections/catalog", {});
