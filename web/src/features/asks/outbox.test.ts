import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "@/api/problems";
import type { Ask } from "@/api/types";
import { Outbox, type Outgoing } from "./outbox";

const UNREACHABLE = new TypeError("Failed to fetch");

describe("the outbox", () => {
  let kept: Map<string, string>;
  let send: ReturnType<typeof vi.fn>;
  let said: string[];
  const make = () =>
    new Outbox({
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => void kept.set(key, value),
        removeItem: (key) => void kept.delete(key),
      },
      now: Date.now,
      send: send as (outgoing: Outgoing, leaving: boolean) => Promise<Ask>,
      onSent: () => said.push("sent"),
      onLate: () => said.push("late"),
      onFailed: () => said.push("failed"),
    });
  const decision = (key = "k1", askId = "a1") => ({
    key,
    user: "u1",
    askId,
    title: "Write it",
    answer: { decision: "approve" as const },
    decidedAt: Date.now(),
    due: Date.now() + 5000,
  });
  beforeEach(() => {
    vi.useFakeTimers();
    kept = new Map();
    said = [];
    send = vi.fn().mockResolvedValue({ id: "a1" });
  });
  afterEach(() => vi.useRealTimers());

  it("sends after the moment in which it can be taken back", async () => {
    make().add(decision());
    await vi.advanceTimersByTimeAsync(4999);
    expect(send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(said).toEqual(["sent"]);
    expect(kept.size).toBe(0);
  });

  it("sends nothing that was taken back", async () => {
    const outbox = make();
    outbox.add(decision());
    expect(outbox.undo("k1")).toBe(true);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(send).not.toHaveBeenCalled();
    expect(outbox.all()).toEqual([]);
  });

  it("lets the last decision about an ask count", async () => {
    const outbox = make();
    outbox.add(decision("k1"));
    outbox.add({ ...decision("k2"), answer: { decision: "deny" } });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(send).toHaveBeenCalledTimes(1);
    expect(send.mock.calls[0]?.[0]).toMatchObject({ key: "k2", answer: { decision: "deny" } });
  });

  it("keeps what cannot be sent, and sends it with the same key when asked again", async () => {
    const outbox = make();
    send.mockRejectedValueOnce(UNREACHABLE);
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    expect(outbox.all()[0]).toMatchObject({ state: "kept" });
    await outbox.retry("u1");
    expect(send.mock.calls.map(([item]) => item.key)).toEqual(["k1", "k1"]);
    expect(said).toEqual(["sent"]);
  });

  it("keeps it also when one must sign in again", async () => {
    const outbox = make();
    send.mockRejectedValueOnce(new Problem(401, "Sign in first"));
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    expect(outbox.all()[0]).toMatchObject({ state: "kept" });
  });

  it.each([
    [409, "late"],
    [422, "failed"],
  ])("gives up on a %s and says so", async (status, words) => {
    const outbox = make();
    send.mockRejectedValueOnce(new Problem(status, "no"));
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    expect(said).toEqual([words]);
    expect(outbox.all()).toEqual([]);
  });

  it("sends at once when the page closes", async () => {
    const outbox = make();
    outbox.add(decision());
    outbox.leave();
    expect(send).toHaveBeenCalledWith(expect.objectContaining({ key: "k1" }), true);
  });

  it("sends what a closed tab left behind, once it is due and only for the same person", async () => {
    const closed = make();
    closed.add(decision("mine"));
    closed.add({ ...decision("theirs", "a2"), user: "u2" });
    const left = new Map(kept);
    send = vi.fn().mockResolvedValue({ id: "a1" });
    const outbox = make();
    await outbox.retry("u1");
    expect(send).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 9000);
    kept = left;
    await outbox.retry("u1");
    expect(send.mock.calls.map(([item]) => item.key)).toEqual(["mine"]);
    expect(kept.get("signoff.outbox")).toContain("theirs");
  });
});
