import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { http, queries } from "./client";
import { allowNotifications, mayNotify, preferencesQuery, wantsNotifications } from "./preferences";

const { queryKey } = preferencesQuery();
const put = vi.spyOn(http, "PUT").mockImplementation((async (_: string, { body }: { body: unknown }) => ({
  data: body,
})) as never);

const browserSays = (permission: NotificationPermission) => {
  const Notification = { requestPermission: async () => permission };
  vi.stubGlobal("window", { Notification });
  vi.stubGlobal("Notification", Notification);
};

beforeEach(() => {
  queries.setQueryData(queryKey, { channels: { email: false }, browser_notifications: false });
  put.mockClear();
});
afterEach(() => vi.unstubAllGlobals());

it("whoever switched notifications off gets none", async () => {
  expect(await wantsNotifications()).toBe(false);
  queries.setQueryData(queryKey, { browser_notifications: true });
  expect(await wantsNotifications()).toBe(true);
});

it("permission and wish are kept together, and the other preferences stay", async () => {
  browserSays("granted");
  await allowNotifications();
  expect(queries.getQueryData(queryKey)).toEqual({ channels: { email: false }, browser_notifications: true });
});

it("what the browser denies is not saved as wanted", async () => {
  browserSays("denied");
  expect(await mayNotify()).toBe(false);
  await allowNotifications();
  expect(put).not.toHaveBeenCalled();
});
