import "@/ui/switch.css";
import { Switch } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { needsWords } from "@/api/roles";
import { failed } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";

/** Whether those who decide fastest are told first. */
export function SmartRouting({ admin }: { admin: boolean }) {
  const queries = useQueryClient();
  const settings = api.useQuery("get", "/api/settings");
  const change = api.useMutation("patch", "/api/settings", {
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf("/api/settings") }),
    onError: failed,
  });
  if (settings.isPending) return <Loading lines={1} height={70} />;
  if (!settings.data)
    return <Failed what="Couldn't load the settings" error={settings.error} retry={() => settings.refetch()} />;
  const on = change.isPending ? change.variables.body.smart_routing : settings.data.smart_routing;
  return (
    <section className={`card ${page.panel}`} aria-label="Smart routing">
      <Switch
        label="Smart routing"
        description={`Whoever usually decides such asks fastest hears of them first. The others hear ten minutes later. ${
          admin ? "" : needsWords("admin", "change this")
        }`}
        checked={on ?? false}
        disabled={!admin}
        onChange={({ currentTarget }) => change.mutate({ body: { smart_routing: currentTarget.checked } })}
      />
    </section>
  );
}
