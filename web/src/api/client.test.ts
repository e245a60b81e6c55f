import { beforeEach, expect, it, vi } from "vitest";

const answer = vi.fn<(request: Request) => Response>();
vi.stubGlobal("fetch", async (request: Request) => answer(request));
const { createClientFor, queries } = await import("./client");
const http = createClientFor("http://signoff.test");

const json = (body: string, status = 200, headers = {}) =>
  new Response(body, { status, headers: { "Content-Type": "application/json", ...headers } });

beforeEach(() => queries.clear());

it("a refusal makes the page ask who is signed in", async () => {
  queries.setQueryData(["get", "/api/me", {}], { role: "admin", workspace: { id: "w1" } });
  answer.mockReturnValue(json('{"detail":"Only an admin can do this."}', 403));
  await expect(http.GET("/api/rules")).rejects.toMatchObject({ status: 403 });
  expect(queries.getQueryState(["get", "/api/me", {}])?.isInvalidated).toBe(true);
});

it("a page says which workspace it shows, and starts anew when its person has gone to another", async () => {
  const reload = vi.fn();
  vi.stubGlobal("location", { reload });
  queries.setQueryData(["get", "/api/me", {}], { workspace: { id: "w1" } });
  answer.mockReturnValue(json('{"detail":"Elsewhere.","code":"other_workspace"}', 401));
  await expect(http.GET("/api/rules")).rejects.toMatchObject({ code: "other_workspace" });
  expect(answer.mock.lastCall?.[0].headers.get("X-Signoff-Workspace")).toBe("w1");
  expect(reload).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

it("an integer that JavaScript would round goes out as it came in", async () => {
  answer.mockReturnValue(json('{"arguments":{"account":12345678901234567890}}'));
  const { data } = await http.GET("/api/asks/{ask_id}", { params: { path: { ask_id: "a1" } } });
  let sent = "";
  answer.mockReturnValue(json("{}"));
  answer.mockImplementationOnce((request) => {
    request.text().then((text) => {
      sent = text;
    });
    return json("{}");
  });
  const body = { decision: "approve" as const, arguments: data?.arguments };
  await http.POST("/api/asks/{ask_id}/answer", { params: { path: { ask_id: "a1" } }, body });
  await vi.waitFor(() => expect(sent).toContain('"account":12345678901234567890'));
});

it("an answer without content is no error", async () => {
  answer.mockReturnValue(new Response(null, { status: 204, headers: { "Content-Type": "application/json" } }));
  const deleted = await http.DELETE("/api/lessons/{lesson_id}", { params: { path: { lesson_id: "l1" } } });
  expect(deleted.response.status).toBe(204);
});
