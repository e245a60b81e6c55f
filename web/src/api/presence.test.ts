// @vitest-environment jsdom
import { afterAll, afterEach, beforeEach, expect, it, vi } from "vitest";
import { http } from "./client";
import { showPresence } from "./presence";

let stop = () => {};
const post = vi.spyOn(http, "POST");
type Posted = [path: string, init: { body: { visible: boolean }; keepalive: boolean }];
const said = () => (post.mock.calls as unknown as Posted[]).map(([, { body, keepalive }]) => [body.visible, keepalive]);

function hide(hidden: boolean): void {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}

const leftElsewhere = () => window.dispatchEvent(new StorageEvent("storage", { key: "signoff.left" }));

beforeEach(() => {
  vi.useFakeTimers();
  hide(false);
  post.mockReset().mockResolvedValue({} as never);
  stop = showPresence();
});

afterEach(() => {
  stop();
  vi.useRealTimers();
});

afterAll(() => post.mockRestore());

it("a page that is seen says so at first and each minute", () => {
  vi.advanceTimersByTime(1_000);
  expect(said()).toEqual([[true, false]]);
  vi.advanceTimersByTime(120_000);
  expect(said()).toHaveLength(3);
});

it("a page that is left says so once, in a way that outlives it, and then is silent", () => {
  vi.advanceTimersByTime(1_000);
  hide(true);
  window.dispatchEvent(new Event("pagehide"));
  vi.advanceTimersByTime(600_000);
  expect(said()).toEqual([
    [true, false],
    [false, true],
  ]);
  hide(false);
  vi.advanceTimersByTime(1_000);
  expect(said().at(-1)).toEqual([true, false]);
});

it("a page that nobody saw says nothing", () => {
  stop();
  hide(true);
  stop = showPresence();
  leftElsewhere();
  vi.advanceTimersByTime(600_000);
  expect(said()).toEqual([]);
});

it("who leaves one of two windows still has the other", () => {
  vi.advanceTimersByTime(1_000);
  leftElsewhere();
  vi.advanceTimersByTime(1_000);
  expect(said()).toEqual([
    [true, false],
    [true, false],
  ]);
});

it("whoever signs out is silent from then on", () => {
  stop();
  hide(true);
  hide(false);
  vi.advanceTimersByTime(600_000);
  expect(said()).toEqual([]);
});

it("a lost connection disturbs nobody", async () => {
  post.mockRejectedValue(new Error("no network"));
  await vi.advanceTimersByTimeAsync(61_000);
  expect(said()).toHaveLength(2);
});
