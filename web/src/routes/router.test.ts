import { expect, it } from "vitest";
import { router } from "./router";

const frameOf = (path: string) => router.getMatchedRoutes(path)[0].map((route) => route.id as string);

it("a page that is not there stands in the frame of all others", () => {
  expect(frameOf("/settings/members")).toContain("/signed-in");
  expect(frameOf("/sign-in")).not.toContain("/signed-in");
});
