import { Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import { useMe } from "@/api/me";
import type { Answer, Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { keepClear } from "@/ui/overlay/keepClear";
import { useOverlay } from "@/ui/overlay/useOverlay";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { label } from "@/ui/values/valueFormat";
import { AnswerField } from "../kinds/Question";
import { decideTogether } from "../outbox/decide";
import classes from "./groups.module.css";
import type { Look } from "./useLook";

const DenyTogether = lazy(() => import("./DenyTogether"));

interface DecideRestProps {
  first: Ask;
  rest: Ask[];
  exceptions: number;
  ready: boolean;
  look: Look;
  likeness: string;
  onDecided: () => void;
}

/** What happens to all that are not ticked. */
export function DecideRest({ first, rest, exceptions, ready, look, likeness, onDecided }: DecideRestProps) {
  const me = useMe();
  const { over: denying, open, close } = useOverlay<"deny">();
  const count = rest.length.toLocaleString("en");
  const which = exceptions > 0 ? `the other ${count}` : `all ${count}`;
  const decide = (answer: Answer) => {
    const about = first.tool ? { title: label(first.tool), agent: first.agent_name } : { title: first.title };
    decideTogether(rest, answer, me, { ...about, group: likeness });
    onDecided();
  };
  const approves = first.kind === "approval";
  const may = ready && rest.length > 0;
  const approve = may && first.may_decide ? () => decide({ decision: "approve" }) : undefined;
  const deny = may && first.may_refuse ? () => open("deny") : undefined;
  useShortcutKeys(approves ? { a: look.done ? approve : undefined, d: deny } : {});
  const stays = exceptions === 0 ? "" : exceptions === 1 ? "1 stays open." : `${exceptions} stay open.`;
  return (
    <footer className={classes.bar} ref={keepClear}>
      {!ready && <p className="small dim">Loading all of them…</p>}
      {approves ? (
        <div className="row wrap">
          <Button
            leftSection={<Icon name="check" size={15} />}
            rightSection={look.done && <kbd>A</kbd>}
            disabled={!approve}
            onClick={approve}
          >
            Approve {which}
          </Button>
          <Button variant="default" rightSection={<kbd>D</kbd>} disabled={!deny} onClick={deny}>
            Deny {which}…
          </Button>
          <span className="small dim">
            {stays} {approve && look.wanted && "Press J to go through them, then A."}
          </span>
        </div>
      ) : (
        <div className="stack">
          <p className="small">
            Your answer goes to {which}. {stays}
          </p>
          {may && first.may_decide && (
            <AnswerField
              type={first.response_type}
              ask={first}
              send={(value) => decide({ decision: "respond", value })}
            />
          )}
        </div>
      )}
      {!first.may_decide && <p className="small dim">{first.barred ?? "You can't decide these."}</p>}
      {denying && deny && (
        <Suspense>
          <DenyTogether count={rest.length} onClose={close} onDeny={(note) => decide({ decision: "deny", note })} />
        </Suspense>
      )}
    </footer>
  );
}
