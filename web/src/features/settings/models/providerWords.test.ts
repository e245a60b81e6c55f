import { expect, it } from "vitest";
import type { Provider } from "@/api/types";
import { setupLines } from "./providerWords";

it("it is started again on the port that it has", () => {
  const provider = { keys: ["OPENAI_API_KEY"], address: "OPENAI_BASE_URL", address_is_enough: true } as Provider;
  const starts = (port: string) => setupLines(provider, port).map(({ text }) => text.split("\n").at(-1));
  expect(starts("8471")).toEqual(["make run PORT=8471", "make run PORT=8471"]);
  expect([...starts("8400"), ...starts("")]).toEqual(Array(4).fill("make run"));
});
