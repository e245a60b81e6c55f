import { describe, expect, it } from "vitest";
import { ago, countdown, duration, since } from "./duration";

describe("time", () => {
  it.each([
    [0, "0s"],
    [59.9, "59s"],
    [60, "1m"],
    [3599, "59m"],
    [3600, "1h"],
    [7500, "2h 5m"],
    [86_400, "1d"],
    [273_600, "3d 4h"],
    [-5, "0s"],
  ])("%d seconds are %s", (seconds, words) => {
    expect(duration(seconds)).toBe(words);
  });
  it.each([
    [0.2, "0:01"],
    [42, "0:42"],
    [725, "12:05"],
    [7500, "2h 5m"],
    [-3, "0:00"],
  ])("%d seconds count down as %s", (seconds, words) => {
    expect(countdown(seconds)).toBe(words);
  });
  it("says just now, then how long ago", () => {
    expect(ago(4)).toBe("just now");
    expect(ago(75)).toBe("1m ago");
  });
  it("never waits a negative time when the clock is behind the server's", () => {
    expect(since("2026-01-01T00:00:10Z", Date.parse("2026-01-01T00:00:05Z"))).toBe(0);
    expect(since("2026-01-01T00:00:00Z", Date.parse("2026-01-01T00:01:30Z"))).toBe(90);
  });
});
