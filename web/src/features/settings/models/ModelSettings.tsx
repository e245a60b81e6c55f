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
  if (!list.data)
    return <Failed what="The models could not be loaded" error={list.error} retry={() => list.refetch()} />;
  return (
    <div className={classes.page}>
      <p className={page.lead} style={{ margin: 0 }}>
        Agents think with a model of a provider. Its key comes from the environment of the server, never from this page:
        set it where you start Signoff, and start again. {!admin && needsWords("admin", "test models")}
      </p>
      {!list.data.works_here && (
        <p className={page.banner} style={{ margin: 0 }}>
          This server leaves the work to workers, which have an environment of their own. Below is what this server has.
        </p>
      )}
      {ordered(list.data.items).map((provider) => (
        <ProviderCard key={provider.name} provider={provider} />
      ))}
    </div>
  );
}
