import { api } from "@/api/client";

/** Where whoever is signed in is a member and may go from here. */
export const useWorkspaces = () => api.useQuery("get", "/api/workspaces", {}).data ?? [];
