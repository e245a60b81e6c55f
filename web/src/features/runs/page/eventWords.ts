import { STATUSES } from "@/ui/domain/runStatus";

interface Happened {
  type: string;
  data: Record<string, unknown>;
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");

function named(value: unknown, ...names: string[]): string {
  const fields = (value ?? {}) as Record<string, unknown>;
  return names.map((name) => text(fields[name])).find(Boolean) ?? "";
}

/** One event in one line. */
export function eventWords({ type, data }: Happened): string {
  switch (type) {
    case "run.created":
      return "Run created";
    case "run.status":
      return STATUSES[data.status as keyof typeof STATUSES]?.label ?? text(data.status);
    case "run.ended":
      return `Ended: ${text(data.completion_reason).replaceAll("_", " ") || text(data.status)}`;
    case "run.progress":
      return named(data.progress, "message", "current_step") || "Progress";
    case "run.message":
      return `Message from ${named(data.message, "role") || "somebody"}`;
    case "call.started":
      return `${callName(data)} started`;
    case "call.finished":
      return `${callName(data)} ${named(data.call, "status") || text(data.status) || "finished"}`;
    case "ask.created":
      return `Asked: ${named(data.ask, "title")}`;
    case "ask.updated":
      return `Ask changed: ${named(data.ask, "title")}`;
    case "ask.settled":
      return `${(named(data.ask, "status") || "settled").replaceAll("_", " ")}: ${named(data.ask, "title")}`;
    case "deliverable.created":
      return `Handed over: ${named(data.deliverable, "name")}`;
    case "limit.warning":
      return "Near a limit";
    default:
      return type;
  }
}

const callName = (data: Record<string, unknown>): string => named(data.call, "tool") || text(data.tool) || "Call";
