import type { components } from "@/api/schema";

type Impact = components["schemas"]["ImpactOut"];

/** What a call does, in one line. */
export const impactWords = (impact: Impact): string =>
  [impact.text, impact.first_time && "First time this agent does this here"].filter(Boolean).join(" · ");
