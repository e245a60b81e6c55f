import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Ago } from "@/ui/time/clock";
import { type Rules, rulesKey } from "./editor/rulesDraft";

function useStop() {
  const queries = useQueryClient();
  return api.useMutation("post", "/api/rules/emergency-stop", {
    onSuccess: (rules) => {
      queries.setQueryData(rulesKey, rules);
      said(rules.stopped ? "Stopped: nothing is approved automatically." : "Automatic approvals are back on.");
    },
    onError: failed,
  });
}

/** One button: nothing is approved automatically from now on. */
export function EmergencyStop({ rules }: { rules: Rules }) {
  const may = useMay("admin");
  const stop = useStop();
  const [asked, setAsked] = useState(false);
  if (rules.stopped) return null;
  return (
    <>
      <Button
        variant="default"
        disabled={!may}
        title={may ? undefined : needsWords("admin", "stop automatic approvals")}
        leftSection={<Icon name="octagon-x" />}
        onClick={() => setAsked(true)}
      >
        Stop auto-approvals
      </Button>
      {asked && (
        <ConfirmDialog
          title="Stop all automatic approvals?"
          action="Stop them now"
          danger
          pending={stop.isPending}
          onConfirm={() => stop.mutate({ body: { enabled: true } }, { onSuccess: () => setAsked(false) })}
          onClose={() => setAsked(false)}
        >
          From now on, no rule or allowance approves anything. Rules that ask or deny, and the agents’ own autonomy,
          stay as they are, and runs continue. You can turn this off again here.
        </ConfirmDialog>
      )}
    </>
  );
}

export function StoppedBanner({ rules }: { rules: Rules }) {
  const may = useMay("admin");
  const stop = useStop();
  if (!rules.stopped) return null;
  return (
    <div className={page.banner} data-tone="bad" role="alert">
      <Icon name="octagon-x" size={20} />
      <div className="grow">
        <strong>Auto-approvals are stopped: no rule and no allowance approves anything.</strong>
        <div className="small">
          {rules.stopped_by && `Stopped by ${rules.stopped_by}`}
          {rules.stopped_at && (
            <>
              , <Ago at={rules.stopped_at} />
            </>
          )}
          {!may && ` · ${needsWords("admin", "allow them again")}`}
        </div>
      </div>
      {may && (
        <Button variant="default" loading={stop.isPending} onClick={() => stop.mutate({ body: { enabled: false } })}>
          Allow automatic approvals again
        </Button>
      )}
    </div>
  );
}
