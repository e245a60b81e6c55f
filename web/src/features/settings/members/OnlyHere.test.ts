import { expect, it } from "vitest";
import { isOnlyHere } from "./OnlyHere";

it.each([
  ["http://127.0.0.1:8471/sign-in?token=x", true],
  ["http://localhost:8400/sign-in?token=x", true],
  ["http://[::1]:8400/sign-in?token=x", true],
  ["http://0.0.0.0:8400/sign-in?token=x", true],
  ["https://signoff.example.org/sign-in?token=x", false],
  ["http://192.168.1.4:8400/sign-in?token=x", false],
  ["http://127.0.0.1.example.org/sign-in?token=x", false],
])("%s opens only on this computer: %s", (url, only) => {
  expect(isOnlyHere(url)).toBe(only);
});
