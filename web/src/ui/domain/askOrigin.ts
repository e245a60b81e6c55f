import type { Ask } from "@/api/types";

/** Who asks, in a line: whoever asks from outside the run does not speak for its agent. */
export const askOrigin = (ask: Ask, named: (label: string) => string = (label) => label): string =>
  ask.asked_by ? `Asked by ${named(ask.asked_by)}, outside the run` : ask.agent_name;
