import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
import "./toasts.css";
import { Notifications, notifications } from "@mantine/notifications";

export { notifications };

export default function ToastArea() {
  return <Notifications className="toasts" position="bottom-right" limit={5} />;
}
