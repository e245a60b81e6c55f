export const SECTIONS = {
  profile: "Profile",
  notifications: "Notifications",
  away: "Away",
  tokens: "API tokens",
  members: "Members",
  groups: "Groups",
  workspace: "Workspace",
  models: "Models",
};

export type Section = keyof typeof SECTIONS;
export const isSection = (section: unknown): section is Section => typeof section === "string" && section in SECTIONS;
