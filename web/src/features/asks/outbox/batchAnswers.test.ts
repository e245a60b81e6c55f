import { afterEach, expect, it, vi } from "vitest";
import { http } from "@/api/client";
import { answerMany, batchWords, digestsOf, MOST, othersIn } from "./batchAnswers";

afterEach(() => vi.restoreAllMocks());

const asks = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `a${at}`, digest: `d${at}` }));
const answered = (ids: string[]) => ({ data: { results: ids.map((id) => ({ id, status: "approved" })) } }) as never;

it("a batch carries what was seen of each, so that what changed since is left alone", async () => {
  const post = vi
    .spyOn(http, "POST")
    .mockImplementation(async (_, init) => answered((init as { body: { ids: string[] } }).body.ids));
  await answerMany(asks(2), { decision: "approve" });
  expect(post.mock.calls[0]?.[1]).toMatchObject({ body: { ids: ["a0", "a1"], digests: { a0: "d0", a1: "d1" } } });
  expect(digestsOf({ a: "x", b: null })).toEqual({ a: "x" });
});

it("what was decided is known although a later part failed", async () => {
  vi.spyOn(http, "POST")
    .mockImplementationOnce(async (_, init) => answered((init as { body: { ids: string[] } }).body.ids))
    .mockRejectedValueOnce(new TypeError("Failed to fetch"));
  const results = await answerMany(asks(201), { decision: "approve" });
  expect(results).toHaveLength(201);
  expect(results.filter(({ error }) => error).map(({ id }) => id)).toEqual(["a200"]);
});

it("an answer goes to as many alike as one request takes with its own, and to none that is decided", () => {
  const alike = asks(MOST + 1);
  const [own, decided] = alike as [{ id: string; digest: string }, { id: string; digest: string }];
  const others = othersIn(alike, own, new Set([decided.id]));
  expect(others).toHaveLength(MOST - 1);
  expect(others).not.toContain(own);
  expect(others).not.toContain(decided);
  expect(othersIn(asks(MOST), { id: "other", digest: null }, new Set())).toHaveLength(MOST - 1);
});

it("a first signature of two is no approval", () => {
  const results = [
    { id: "a", status: "approved" },
    { id: "b", status: "pending" },
    { id: "c", status: null, error: "no" },
  ];
  expect(batchWords(results, "approved")).toBe("1 approved, 1 signed, waiting for others, 1 could not be.");
  expect(batchWords(results.slice(1, 2), "approved")).toBe("1 signed, waiting for others.");
  expect(batchWords([], "approved")).toBe("0 approved.");
});
