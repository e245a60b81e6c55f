import { useMe } from "./me";

export type Role = "viewer" | "member" | "approver" | "admin";

export const ROLES: Record<Role, { label: string; description: string }> = {
  viewer: { label: "Viewer", description: "Reads everything, changes nothing" },
  member: { label: "Member", description: "Starts and steers runs, and answers what agents ask" },
  approver: {
    label: "Approver",
    description: "Decides what agents may do, starts and steers runs, and answers what they ask",
  },
  admin: {
    label: "Admin",
    description: "Decides what agents may do, starts runs, and sets up agents, rules and members",
  },
};

export const ROLE_CHOICES = Object.entries(ROLES).map(([value, { label }]) => ({ value, label }));

export const isRole = (name: string): name is Role => name in ROLES;

const RANKS = Object.keys(ROLES) as Role[];

export const includes = (role: string, needed: Role): boolean => RANKS.indexOf(role as Role) >= RANKS.indexOf(needed);

/** Whether whoever is signed in may do what needs this role. The server has the last word. */
export function useMay(needed: Role): boolean {
  return includes(useMe().role, needed);
}

/** Why a button is missing, in one sentence. */
export const needsWords = (needed: Role, to: string): string =>
  `Only ${needed === "admin" ? "an admin" : needed === "approver" ? "an approver" : "a member"} can ${to}.`;
