import { getRouteApi, useParams } from "@tanstack/react-router";
import { Inbox } from "@/features/asks/inbox/Inbox";
import { LatestDeliverable } from "@/features/deliverables/LatestDeliverable";
import { ConnectModelHint } from "@/ui/models/ConnectModelHint";

const route = getRouteApi("/signed-in/inbox");

export function InboxPage() {
  const { askId } = useParams({ strict: false });
  const outcome = (
    <div className="stack">
      <LatestDeliverable />
      <ConnectModelHint />
    </div>
  );
  return <Inbox askId={askId} search={route.useSearch()} outcome={outcome} />;
}
