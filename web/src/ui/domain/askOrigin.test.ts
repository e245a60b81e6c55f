import { expect, it } from "vitest";
import type { Ask } from "@/api/types";
import { askOrigin } from "./askOrigin";

it("whoever asks from outside is named, and not the agent", () => {
  const ask = { agent_name: "Refund bot", asked_by: null } as Ask;
  expect(askOrigin(ask)).toBe("Refund bot");
  expect(askOrigin({ ...ask, asked_by: "bob@x.org" }, () => "Bob")).toBe("Asked by Bob, outside the run");
});
