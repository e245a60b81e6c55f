import { VisuallyHidden } from "@mantine/core";
import { lazy } from "react";
import { api, queries } from "@/api/client";
import { askKey } from "@/api/live/askCache";
import { useMe } from "@/api/me";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { failed } from "@/ui/overlay/toast";
import classes from "../../ask.module.css";
import { refusalFor } from "../../decision/mayDecide";

const AssignMenu = lazy(() => import("./AssignMenu"));

/** Who is responsible, and a way to hand it to somebody. */
export function AssignButton({ ask }: { ask: Ask }) {
  const me = useMe();
  const { user } = me;
  const assign = api.useMutation("post", "/api/asks/{ask_id}/assign", {
    onSuccess: (changed) => queries.setQueryData(askKey(ask.id), changed),
    onError: failed,
  });
  const who = assign.isPending ? assign.variables.body.user : ask.assignee;
  const named = useMemberNames(Boolean(who));
  const words = who === user.email ? "Yours" : who && named(who);
  // Whoever may decide may also hand over.
  if (ask.status !== "pending" || refusalFor(me, ask) !== null)
    return ask.assignee ? <span className="small dim">for {named(ask.assignee)}</span> : null;
  const give = (email: string | null) => assign.mutate({ params: { path: { ask_id: ask.id } }, body: { user: email } });
  return (
    <DropdownButton
      className={classes.assign}
      menu={(close) => <AssignMenu ask={ask} who={who} me={user.email} onGive={give} onClose={close} />}
    >
      <Icon name="user" size={14} />
      {words ? (
        <>
          <VisuallyHidden>Assigned: </VisuallyHidden>
          {words}
        </>
      ) : (
        "Assign"
      )}
    </DropdownButton>
  );
}
