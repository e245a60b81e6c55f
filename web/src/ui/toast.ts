import { notifications } from "@mantine/notifications";
import { wordsOf } from "@/api/problems";

export function said(message: string): void {
  notifications.show({ message, color: "pine", autoClose: 4000 });
}

export function failed(error: unknown): void {
  notifications.show({ title: "That did not work", message: wordsOf(error), color: "red", autoClose: 9000 });
}
