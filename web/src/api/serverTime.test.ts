import { expect, it } from "vitest";
import { hearTime, serverNow } from "./serverTime";

const SERVER = "Mon, 16 Nov 2026 07:00:00 GMT";
const SERVER_MS = Date.parse(SERVER);

it("a clock that is ten minutes fast does not end a deadline early", () => {
  hearTime(SERVER, SERVER_MS + 600_000);
  expect(serverNow(SERVER_MS + 601_000)).toBe(SERVER_MS + 1000);
});

it("a clock that is right is left alone, and an answer without a time changes nothing", () => {
  hearTime(SERVER, SERVER_MS + 700);
  expect(serverNow(5)).toBe(5);
  hearTime(null, 0);
  expect(serverNow(5)).toBe(5);
});

it("whole seconds do not make a deadline jump", () => {
  hearTime(SERVER, SERVER_MS + 600_000);
  hearTime(SERVER, SERVER_MS + 600_900);
  expect(serverNow(SERVER_MS + 600_000)).toBe(SERVER_MS);
});
