import type { IconName } from "@/ui/icons";

/** The pages of the navigation, in its order. */
export const PAGES = [
  { to: "/inbox", label: "Inbox", icon: "inbox" },
  { to: "/notices", label: "Notices", icon: "bell" },
  { to: "/", label: "Dashboard", icon: "dashboard" },
  { to: "/runs", label: "Runs", icon: "activity" },
  { to: "/agents", label: "Agents", icon: "bot" },
  { to: "/workflows", label: "Workflows", icon: "layers" },
  { to: "/schedules", label: "Schedules", icon: "clock" },
  { to: "/deliverables", label: "Deliverables", icon: "package" },
  { to: "/knowledge", label: "Knowledge", icon: "library" },
  { to: "/connections", label: "Connections", icon: "plug" },
  { to: "/rules", label: "Rules", icon: "shield" },
  { to: "/audit", label: "Audit", icon: "book" },
  { to: "/settings", label: "Settings", icon: "sliders" },
] as const satisfies { to: string; label: string; icon: IconName }[];

export type PageLink = (typeof PAGES)[number];

/** On a phone these stand at the bottom, the others behind "More". */
export const FIRST_ON_PHONE: readonly string[] = ["/inbox", "/", "/runs", "/agents"];
