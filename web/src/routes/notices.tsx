import { getRouteApi } from "@tanstack/react-router";
import { QuickAnswer } from "@/features/asks/decision/QuickAnswer";
import { NoticesPage as Page } from "@/features/notices/NoticesPage";

const route = getRouteApi("/signed-in/notices");

export function NoticesPage() {
  return (
    <Page
      unread={route.useSearch().show === "unread"}
      question={(askId, onAnswered) => <QuickAnswer askId={askId} onAnswered={onAnswered} />}
    />
  );
}
