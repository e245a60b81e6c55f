import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Problem } from "@/api/problems";
import { Outbox, type Outgoing } from "./outbox";

const UNREACHABLE = new TypeError("Failed to fetch");
const PLACE = "signoff.outbox";

describe("the outbox", () => {
  let kept: Map<string, string>;
  let full: boolean;
  let online: boolean;
  let send: ReturnType<typeof vi.fn>;
  let taken: ReturnType<typeof vi.fn>;
  let said: string[];
  const make = (user = "u1") => {
    const outbox = new Outbox<unknown>({
      storage: {
        getItem: (key) => kept.get(key) ?? null,
        setItem: (key, value) => {
          if (full) throw new DOMException("full", "QuotaExceededError");
          kept.set(key, value);
        },
        removeItem: (key) => void kept.delete(key),
      },
      now: Date.now,
      online: () => online,
      send: send as (outgoing: Outgoing, leaving: boolean) => Promise<unknown>,
      taken: taken as () => Promise<"yes" | "no" | "unknown">,
      onSent: () => said.push("sent"),
      onLate: () => said.push("late"),
      onRefused: ({ problem }) => said.push(`refused: ${problem}`),
      onUnstored: () => said.push("unstored"),
    });
    outbox.belongTo(user);
    return outbox;
  };
  const decision = (key = "k1", askId = "a1", user = "u1") => ({
    key,
    user,
    by: `${user}@x.org`,
    askId,
    title: "Write it",
    answer: { decision: "approve" as const },
    decidedAt: Date.now(),
    due: Date.now() + 5000,
  });
  const sentKeys = () => send.mock.calls.map(([item]) => item.key);
  beforeEach(() => {
    vi.useFakeTimers();
    kept = new Map();
    said = [];
    full = false;
    online = true;
    send = vi.fn().mockResolvedValue({});
    taken = vi.fn().mockResolvedValue("no");
  });
  afterEach(() => vi.useRealTimers());

  it("sends after the moment in which it can be taken back", async () => {
    make().add(decision());
    await vi.advanceTimersByTimeAsync(4999);
    expect(send).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(said).toEqual(["sent"]);
    expect(kept.has(PLACE)).toBe(false);
  });

  it("sends nothing that was taken back", async () => {
    const outbox = make();
    outbox.add(decision());
    expect(await outbox.undo("k1")).toBe("undone");
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
    expect(outbox.all()[0]).toMatchObject({ state: "kept", waits: "connection" });
    await outbox.retry();
    expect(sentKeys()).toEqual(["k1", "k1"]);
    expect(said).toEqual(["sent"]);
  });

  it("says when it waits for its author to sign in again", async () => {
    const outbox = make();
    send.mockRejectedValueOnce(new Problem(401, "Sign in first"));
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    expect(outbox.all()[0]).toMatchObject({ state: "kept", waits: "sign-in" });
    expect(await outbox.undo("k1")).toBe("undone");
    expect(taken).not.toHaveBeenCalled();
  });

  it("gives up on what somebody else settled first", async () => {
    const outbox = make();
    send.mockRejectedValueOnce(new Problem(409, "no"));
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    expect(said).toEqual(["late"]);
    expect(outbox.all()).toEqual([]);
  });

  it.each([403, 413, 422])(
    "keeps what a %s refused, with its words and the reason, and does not send it again",
    async (status) => {
      const outbox = make();
      send.mockRejectedValueOnce(new Problem(status, "Not like this."));
      outbox.add({ ...decision(), answer: { decision: "deny", note: "Wrong month" } });
      await vi.advanceTimersByTimeAsync(5000);
      await outbox.retry();
      await outbox.leave();
      expect(send).toHaveBeenCalledTimes(1);
      expect(said).toEqual(["refused: Not like this."]);
      expect(outbox.all()[0]).toMatchObject({ state: "refused", title: "Write it", answer: { note: "Wrong month" } });
      vi.setSystemTime(Date.now() + 60_000);
      const reopened = make();
      await reopened.retry();
      expect(reopened.all()[0]).toMatchObject({ state: "refused", problem: "Not like this." });
    },
  );

  it.each([429, 500])("tries again after a %s, waiting longer each time, and then asks its author", async (status) => {
    const outbox = make();
    send.mockRejectedValue(new Problem(status, "Busy"));
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    await outbox.retry();
    expect(send).toHaveBeenCalledTimes(1);
    await vi.advanceTimersByTimeAsync(2000);
    expect(send).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(3999);
    expect(send).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(200_000);
    expect(said).toEqual(["refused: Busy"]);
    expect(new Set(sentKeys())).toEqual(new Set(["k1"]));
  });

  it("sends at once when the page closes or goes out of sight", async () => {
    const outbox = make();
    outbox.add(decision());
    await outbox.leave();
    expect(send).toHaveBeenCalledWith(expect.objectContaining({ key: "k1" }), true, expect.anything());
  });

  it("does not count as tried while there is no connection", async () => {
    online = false;
    const outbox = make();
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    expect(outbox.all()[0]).toMatchObject({ state: "kept" });
    expect(await outbox.undo("k1")).toBe("undone");
    expect(send).not.toHaveBeenCalled();
    expect(taken).not.toHaveBeenCalled();
  });

  it.each([
    ["yes", "taken"],
    ["no", "undone"],
    ["unknown", "unknown"],
  ])("asks the server before it takes back what may have arrived: %s", async (answer, undone) => {
    const outbox = make();
    send.mockRejectedValueOnce(UNREACHABLE);
    taken.mockResolvedValueOnce(answer);
    outbox.add(decision());
    await vi.advanceTimersByTimeAsync(5000);
    expect(await outbox.undo("k1")).toBe(undone);
    expect(outbox.all()).toEqual([]);
  });

  it("holds a decision also where the browser has no room for it, and says so", async () => {
    full = true;
    const outbox = make();
    outbox.add(decision());
    expect(said).toEqual(["unstored"]);
    outbox.heard();
    await vi.advanceTimersByTimeAsync(5000);
    expect(said).toEqual(["unstored", "sent"]);
  });

  it("sends what a closed tab left behind, once it is due", async () => {
    make().add(decision("mine"));
    const left = new Map(kept);
    const outbox = make();
    await outbox.retry();
    expect(send).not.toHaveBeenCalled();
    vi.setSystemTime(Date.now() + 9000);
    kept = left;
    await outbox.retry();
    expect(sentKeys()).toEqual(["mine"]);
  });

  describe("with two people at one browser", () => {
    it("sends nothing of the first after the second signed in, and keeps it for their return", async () => {
      const outbox = make("u1");
      outbox.add(decision("held", "a1"));
      outbox.add(decision("kept", "a2"));
      send.mockRejectedValueOnce(new Problem(401, "Sign in first"));
      await outbox.sendNow("kept");
      outbox.belongTo("u2");
      send.mockClear();
      await vi.advanceTimersByTimeAsync(20_000);
      await outbox.retry();
      await outbox.leave();
      expect(send).not.toHaveBeenCalled();
      expect(outbox.all()).toEqual([]);
      outbox.belongTo("u1");
      await outbox.retry();
      expect(sentKeys().sort()).toEqual(["held", "kept"]);
    });

    it("forgets what arrived after its author had signed out", async () => {
      let arrive = (_: unknown) => {};
      send.mockReturnValueOnce(
        new Promise((resolve) => {
          arrive = resolve;
        }),
      );
      const outbox = make("u1");
      outbox.add(decision());
      const sending = outbox.sendNow("k1");
      outbox.belongTo(null);
      arrive({});
      await sending;
      expect(kept.has(PLACE)).toBe(false);
    });

    it("waits at sign-out until what was held has its answer", async () => {
      const outbox = make("u1");
      outbox.add(decision());
      await outbox.sendHeld();
      expect(send).toHaveBeenCalledWith(expect.objectContaining({ key: "k1" }), false, expect.anything());
      expect(said).toEqual(["sent"]);
    });

    it("sends nothing once another tab has signed somebody else in", async () => {
      const outbox = make("u1");
      outbox.add(decision());
      make("u2");
      await vi.advanceTimersByTimeAsync(5000);
      await outbox.retry();
      expect(send).not.toHaveBeenCalled();
    });
  });

  describe("in two tabs", () => {
    const both = async () => {
      const first = make();
      send.mockRejectedValue(UNREACHABLE);
      first.add(decision());
      await vi.advanceTimersByTimeAsync(5000);
      vi.setSystemTime(Date.now() + 9000);
      const second = make();
      await second.retry();
      expect(second.all()).toHaveLength(1);
      return [first, second] as const;
    };

    it("takes back in one what the other has taken over", async () => {
      const [first, second] = await both();
      await first.undo("k1");
      second.heard();
      send.mockClear();
      await second.retry();
      expect(second.all()).toEqual([]);
      expect(send).not.toHaveBeenCalled();
    });

    it("does not bring back what was taken back while the other tried to send it", async () => {
      const [first, second] = await both();
      const trying = second.retry();
      await first.undo("k1");
      await trying;
      expect(second.all()).toEqual([]);
      expect(kept.has(PLACE)).toBe(false);
    });
  });
});
