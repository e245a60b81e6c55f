import { needsWords, useMay } from "@/api/roles";
import { useProviders } from "@/ui/models/ModelWarning";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import classes from "./models.module.css";
import { ProviderCard } from "./ProviderCard";
import { ordered } from "./providerWords";

/** Which models can be used, whether they work, and how to connect one. */
export default function ModelSettings() {
  const admin = useMay("admin");
  const list = useProviders();
  if (list.isPending) return <Loading lines={4} height={90} />;
  if (!list.data) return <Failed what="Couldn't load the models" error={list.error} retry={() => list.refetch()} />;
  return (
    <div className={classes.page}>
      <p className={page.lead} style={{ margin: 0 }}>
        Every agent uses a model from one of these providers. Keys come from the server’s environment, never from this
        page: set a key where you start Signoff, then restart it. {!admin && needsWords("admin", "test models")}
      </p>
      {!list.data.works_here && (
        <p className={page.banner} style={{ margin: 0 }}>
          Separate workers run the agents here, each with its own environment. This page shows only what this server
          has.
        </p>
      )}
      {ordered(list.data.items).map((provider) => (
        <ProviderCard key={provider.name} provider={provider} />
      ))}
    </div>
  );
}
