import { api } from "@/api/client";

/** Rules that people proposed, or that the record speaks for. */
export const useSuggestions = () => api.useQuery("get", "/api/rules/suggestions", {});
