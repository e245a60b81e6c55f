import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { keyOf } from "@/api/queryKeys";
import { needsWords, useMay } from "@/api/roles";
import { QuestionTimeField } from "@/ui/domain/QuestionTimeField";
import { waitingMinutes } from "@/ui/domain/questionTime";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import classes from "../settings.module.css";
import { NewWorkspace } from "./NewWorkspace";
import { WorkspaceName } from "./WorkspaceName";

/** What holds for everybody here. */
export function WorkspaceSettings({ goTo }: { goTo: (workspace: string) => void }) {
  const admin = useMay("admin");
  const me = useMe();
  const queries = useQueryClient();
  const settings = api.useQuery("get", "/api/settings");
  const change = api.useMutation("patch", "/api/settings", {
    onSuccess: () => {
      said("Saved.");
      return queries.invalidateQueries({ queryKey: keyOf("/api/settings") });
    },
    onError: failed,
  });
  if (settings.isPending) return <Loading lines={2} />;
  if (!settings.data)
    return <Failed what="Couldn't load the settings" error={settings.error} retry={() => settings.refetch()} />;
  return (
    <div className={classes.parts}>
      <WorkspaceName name={settings.data.name} />
      <section className={`card ${page.panel}`} aria-label="Questions">
        <h2>Questions</h2>
        <QuestionTimeField
          label="How long agents’ questions wait"
          otherwise="30 minutes (the default)"
          value={String(settings.data.question_timeout_minutes ?? "")}
          disabled={!admin || change.isPending}
          onChange={(chosen) => change.mutate({ body: { question_timeout_minutes: waitingMinutes(chosen) } })}
        />
        <p className="small dim">An agent can have its own setting. {!admin && needsWords("admin", "change this")}</p>
      </section>
      {me.installation_admin && <NewWorkspace goTo={goTo} />}
    </div>
  );
}
