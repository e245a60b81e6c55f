import { getRouteApi, useParams } from "@tanstack/react-router";
import { Inbox } from "@/features/asks/inbox/Inbox";

const route = getRouteApi("/signed-in/inbox");

export function InboxPage() {
  const { askId } = useParams({ strict: false });
  return <Inbox askId={askId} search={route.useSearch()} />;
}
