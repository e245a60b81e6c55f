import { expect, it } from "vitest";
import { slackManifest } from "./slackManifest";

it("what people press in Slack comes back to this address", () => {
  const { settings } = JSON.parse(slackManifest("https://signoff.example.org"));
  expect(settings.interactivity.request_url).toBe("https://signoff.example.org/hooks/slack");
});
