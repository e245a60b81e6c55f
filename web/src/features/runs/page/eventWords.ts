import type { components } from "@/api/schema";
import { STATUSES } from "@/ui/domain/runs/runStatus";

const plain = (word: string): string => word.replaceAll("_", " ");

/** One event in one line. */
export function eventWords(event: components["schemas"]["Event"]): string {
  switch (event.type) {
    case "run.created":
      return "Run created";
    case "run.status":
      return STATUSES[event.data.status].label;
    case "run.ended":
      return `Ended: ${plain(event.data.completion_reason ?? event.data.status)}`;
    case "run.progress":
      return event.data.progress.message || event.data.progress.current_step;
    case "run.message":
      return `Message from ${event.data.message.role}`;
    case "call.started":
      return `${event.data.call.tool} started`;
    case "call.finished":
      return `${event.data.call.tool} ${event.data.call.status}`;
    case "ask.created":
      return `Asked: ${event.data.ask.title}`;
    case "ask.updated":
      return `Ask changed: ${event.data.ask.title}`;
    case "ask.settled":
      return `${plain(event.data.ask.status)}: ${event.data.ask.title}`;
    case "deliverable.created":
      return `Delivered: ${event.data.deliverable.name}`;
    case "limit.warning":
      return "Near a limit";
    case "notification.created": {
      const { text, channel } = event.data.notification;
      return text === undefined ? "Someone was notified" : `Notified ${channel}: ${text}`;
    }
    default:
      return event.type;
  }
}
