import { expect, it } from "vitest";
import { tokenIn } from "./SignIn";
import { safePath } from "./useSignIn";

it("a pasted link or token gives the token", () => {
  expect(tokenIn("http://127.0.0.1:8400/sign-in?token=abc_1&x=2")).toBe("abc_1");
  expect(tokenIn("  abc_1 ")).toBe("abc_1");
});

it("signing in leads only to a place in this app", () => {
  expect(safePath("/runs/1?x=2")).toBe("/runs/1?x=2");
  for (const elsewhere of ["https://evil.example", "//evil.example", "/\\evil.example", "", undefined])
    expect(safePath(elsewhere)).toBe("/inbox");
});
