import "@mantine/core/styles/Notification.css";
import "@mantine/notifications/styles.css";
import { Notifications, notifications } from "@mantine/notifications";

export { notifications };

export default function ToastArea() {
  return <Notifications position="top-center" limit={3} />;
}
