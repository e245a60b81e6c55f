import { expect, it } from "vitest";
import { channelNames, missingChannels } from "./names";

it("channels are offered by name and by kind, each once, and only those that tell somebody", () => {
  const channels = [
    { name: "Mail", kind: "email" },
    { name: "Teams", kind: "teams" },
    { name: "Ops", kind: "slack" },
    { name: "Sales", kind: "slack" },
    { name: "CI", kind: "webhook" },
  ];
  expect(channelNames(channels)).toEqual(["Mail", "Teams", "Ops", "Sales", "email", "slack"]);
});

it("a channel that is not there is found, whatever the case of those that are", () => {
  expect(missingChannels(["mail", "Slack", "teeams"], ["Mail", "slack"])).toEqual(["teeams"]);
  expect(missingChannels(["teeams"], [])).toEqual([]);
});
