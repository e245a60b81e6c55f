import { QueryClient } from "@tanstack/react-query";
import createFetchClient, { type Middleware } from "openapi-fetch";
import createClient from "openapi-react-query";
import { Problem, problemOf } from "./problems";
import type { paths } from "./schema";

/** Failed answers become thrown Problems; every POST carries a key, so that a request sent twice acts once. */
const manners: Middleware = {
  onRequest({ request }) {
    if (request.method === "POST" && !request.headers.has("Idempotency-Key"))
      request.headers.set("Idempotency-Key", newKey());
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await problemOf(response);
  },
};

/** `crypto.randomUUID` exists on https and localhost only. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export const http = createFetchClient<paths>();
http.use(manners);

/** Typed queries and mutations on the API. */
export const api = createClient(http);

export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      refetchOnWindowFocus: false,
      // Events keep what is on screen fresh, so only what may pass by itself is tried again.
      retry: (count, error) => count < 2 && !(error instanceof Problem && error.status < 500),
    },
  },
});
