import { api, http, queries } from "./client";
import type { components } from "./schema";

export type Preferences = components["schemas"]["Preferences"];

export const preferencesQuery = () => api.queryOptions("get", "/api/me/preferences", {});

/** Whether this person wants the browser to speak. Whoever cannot be asked is left alone. */
export async function wantsNotifications(): Promise<boolean> {
  const preferences = await queries.fetchQuery(preferencesQuery()).catch(() => null);
  return preferences?.browser_notifications ?? false;
}

/** Whether the browser lets Signoff speak; somebody who has not decided is asked. */
export async function mayNotify(): Promise<boolean> {
  return "Notification" in window && (await Notification.requestPermission()) === "granted";
}

/** Ask for permission, and remember that it is wanted: only together do they count. */
export async function allowNotifications(): Promise<void> {
  if (!(await mayNotify())) return;
  const before = await queries.fetchQuery(preferencesQuery());
  const { data } = await http.PUT("/api/me/preferences", { body: { ...before, browser_notifications: true } });
  queries.setQueryData(preferencesQuery().queryKey, data);
}
