import type { ChannelsSearch } from "./channels/channel/channelsSearch";

export const SECTIONS = {
  profile: "Profile",
  notifications: "Notifications",
  away: "Away",
  tokens: "API tokens",
  members: "Members",
  groups: "Groups",
  workspace: "Workspace",
  models: "Models",
  channels: "Channels",
};

export type Section = keyof typeof SECTIONS;
export const isSection = (section: unknown): section is Section => typeof section === "string" && section in SECTIONS;

/** Which part is shown, and what of it. */
export interface SettingsSearch extends ChannelsSearch {
  section?: Section;
}
