import { QueryClient } from "@tanstack/react-query";
import createFetchClient, { type Middleware } from "openapi-fetch";
import createClient from "openapi-react-query";
import { marked, writeExactly } from "./exactIntegers";
import { Problem, problemOf } from "./problems";
import { keyOf } from "./queryKeys";
import type { paths } from "./schema";
import { hearTime } from "./serverTime";

const ME = [...keyOf("/api/me"), {}];

/** The workspace that this page shows. The cookie is the browser's: in another tab its person may have gone elsewhere. */
export const workspaceHere = (): string | undefined =>
  queries.getQueryData<{ workspace: { id: string } }>(ME)?.workspace.id;

/** Failed answers become thrown Problems; every POST carries a key, so that a request sent twice acts once. */
const errorsAndKeys: Middleware = {
  onRequest({ request, schemaPath }) {
    const here = workspaceHere();
    if (here && !schemaPath.startsWith("/api/auth/")) request.headers.set("X-Signoff-Workspace", here);
    if (request.method === "POST" && !request.headers.has("Idempotency-Key"))
      request.headers.set("Idempotency-Key", newKey());
    return request;
  },
  async onResponse({ response, schemaPath }) {
    hearTime(response.headers.get("Date"));
    // The page thought that they may: their role has changed.
    if (response.status === 403 && schemaPath !== "/api/me") queries.invalidateQueries({ queryKey: keyOf("/api/me") });
    if (response.ok) return;
    const problem = await problemOf(response);
    if (problem.code === "other_workspace") location.reload();
    throw problem;
  },
};

/** What is read as JSON keeps its large integers; a file keeps every letter. */
const exact: Middleware = {
  async onResponse({ response, options }) {
    const { status, headers } = response;
    const isJson = headers.get("Content-Type")?.startsWith("application/json") && options.parseAs === "json";
    return isJson && status !== 204 ? new Response(marked(await response.text()), { status, headers }) : undefined;
  },
};

/** Tells the server that a page of its own asks: no form, and no page of another origin, can send it. */
const OURS = { "X-Signoff": "1" };

/** `crypto.randomUUID` exists on https and localhost only. */
export function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function createClientFor(baseUrl: string) {
  const client = createFetchClient<paths>({ baseUrl, headers: OURS, bodySerializer: (body) => writeExactly(body) });
  // The last is the first to see an answer.
  client.use(exact, errorsAndKeys);
  return client;
}

export const http = createClientFor("");

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
