import { Button } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { allowNotifications } from "@/api/preferences";
import type { Ask } from "@/api/types";
import { RiskTag } from "@/ui/domain/RiskTag";
import { failed, hideToast } from "@/ui/overlay/toast";
import { useAnswer } from "../decision/useAnswer";
import { signLabel } from "../outbox/decisionWords";
import { approvableAtAGlance } from "./announcement";
import { couldAsk } from "./browserNotification";

/** A new ask in a corner of the page: decide what is simple, open the rest. */
export function NewAskToast({ ask }: { ask: Ask }) {
  const navigate = useNavigate();
  const close = () => hideToast(ask.id);
  const answering = useAnswer(ask, close);
  const approvable = approvableAtAGlance(useMe(), ask);
  // The event that settles it may be missed while the connection is lost: then it is read again.
  const now = api.useQuery("get", "/api/asks/{ask_id}", { params: { path: { ask_id: ask.id } } }).data?.status;
  useEffect(() => {
    if (now && now !== "pending") hideToast(ask.id);
  }, [now, ask.id]);
  return (
    <div className="stack" style={{ gap: "0.5rem" }}>
      <span>{ask.title}</span>
      <div className="row wrap">
        {ask.risk && <RiskTag level={ask.risk.level} />}
        <Button
          size="compact-sm"
          variant={approvable ? "default" : "filled"}
          onClick={() => {
            close();
            navigate({ to: "/asks/$askId", params: { askId: ask.id } });
          }}
        >
          Open
        </Button>
        {approvable && (
          <Button size="compact-sm" onClick={() => answering.send({ decision: "approve" })}>
            {signLabel(ask, "Approve")}
          </Button>
        )}
        <AllowNotifications />
      </div>
    </div>
  );
}

/** Asked where it makes sense: when something has just arrived. */
function AllowNotifications() {
  const [offered, setOffered] = useState(couldAsk);
  if (!offered) return null;
  const allow = async () => {
    setOffered(false);
    await allowNotifications().catch(failed);
  };
  return (
    <Button size="compact-sm" variant="subtle" color="gray" onClick={allow}>
      Notify me in the background
    </Button>
  );
}
