import { expect, it } from "vitest";
import { isPublic, telegramCommand } from "./callbacks";

it("Telegram is told the channel and its secret, and never the bot's token", () => {
  const command = telegramCommand("https://signoff.example.org", "c1", "s3cret");
  expect(command).toContain("url=https://signoff.example.org/hooks/telegram/c1");
  expect(command).toContain("secret_token=s3cret");
  expect(command).toContain("/botTOKEN/");
});

it.each([
  ["https://signoff.example.org", true],
  ["https://localhosts.example.org", true],
  ["http://signoff.example.org", false],
  ["https://localhost:8400", false],
  ["https://192.168.0.7", false],
  ["https://[::1]:8400", false],
  ["https://signoff.local", false],
])("%s can be called from outside: %s", (origin, expected) => {
  expect(isPublic(origin)).toBe(expected);
});
