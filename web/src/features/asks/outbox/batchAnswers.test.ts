import { afterEach, expect, it, vi } from "vitest";
import { http } from "@/api/client";
import { Problem } from "@/api/problems";
import { answerMany, batchWords, digestsOf, leftOut, leftOutWords, MOST, othersIn } from "./batchAnswers";

afterEach(() => vi.restoreAllMocks());

const asks = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `a${at}`, digest: `d${at}` }));
const answered = (ids: string[]) => ({ data: { results: ids.map((id) => ({ id, status: "approved" })) } }) as never;

const batch = (count: number) => ({
  key: "k",
  seen: Object.fromEntries(asks(count).map(({ id, digest }) => [id, digest])),
  answer: { decision: "approve" as const, note: "all" },
});
const answerAll = () =>
  vi
    .spyOn(http, "POST")
    .mockImplementation(async (_, init) => answered((init as { body: { ids: string[] } }).body.ids));
const now = (_: unknown, post: (keepalive: boolean) => Promise<never[]>) => post(false);
const send = now as unknown as Parameters<typeof answerMany>[1];

it("a batch carries what was seen of each, so that what changed since is left alone", async () => {
  const post = answerAll();
  await answerMany(batch(2), send, () => {});
  const body = { ids: ["a0", "a1"], digests: { a0: "d0", a1: "d1" }, decision: "approve", note: "all" };
  expect(post.mock.calls[0]?.[1]).toMatchObject({ body, headers: { "Idempotency-Key": "k" } });
  expect(digestsOf({ a: "x", b: null })).toEqual({ a: "x" });
});

it("a large batch goes out in parts, each with its own key, and says how far it is", async () => {
  const post = answerAll();
  const done: number[] = [];
  expect(await answerMany(batch(2 * MOST + 1), send, (so) => done.push(so))).toHaveLength(2 * MOST + 1);
  expect(done).toEqual([MOST, 2 * MOST, 2 * MOST + 1]);
  const keys = post.mock.calls.map((call) => (call[1] as unknown as { headers: Record<string, string> }).headers);
  expect(new Set(keys.map((each) => each["Idempotency-Key"])).size).toBe(3);
});

it("a part that is refused is told for each of it; one that did not arrive is sent again with all others", async () => {
  const fails = (error: unknown) =>
    answerAll()
      .mockImplementationOnce(async (_, init) => answered((init as { body: { ids: string[] } }).body.ids))
      .mockRejectedValueOnce(error);
  fails(new Problem(403, "no more"));
  const results = await answerMany(batch(MOST + 1), send, () => {});
  expect(leftOut(results).map(({ id }) => id)).toEqual([`a${MOST}`]);
  fails(new TypeError("Failed to fetch"));
  await expect(answerMany(batch(MOST + 1), send, () => {})).rejects.toThrow("Failed to fetch");
});

it("the first that were left out are named, with why", () => {
  const left = ["a", "b", "c", "d", "e", "f"].map((title) => ({ title, error: "It was changed." }));
  expect(leftOutWords(left.slice(0, 1), 1)).toBe("a: It was changed.");
  expect(leftOutWords(left, 7).split("\n").at(-1)).toBe("and 2 more");
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
  expect(batchWords(results, "approved")).toBe("1 approved, 1 signed, waiting for others, 1 left out.");
  expect(batchWords(results.slice(1, 2), "approved")).toBe("1 signed, waiting for others.");
  expect(batchWords([], "approved")).toBe("0 approved.");
});
