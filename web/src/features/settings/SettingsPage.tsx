import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import page from "@/ui/page.module.css";
import { Loading } from "@/ui/States";
import { Tabs } from "@/ui/Tabs";
import { GroupSettings } from "./GroupSettings";
import { MemberSettings } from "./members/MemberSettings";
import { NotificationSettings } from "./NotificationSettings";
import { ProfileSettings } from "./ProfileSettings";
import { SECTIONS, type Section, type SettingsSearch } from "./settingsSections";
import { TokenSettings } from "./TokenSettings";
import { WorkspaceSettings } from "./workspace/WorkspaceSettings";

const AwaySettings = lazy(() => import("./AwaySettings"));
const ModelSettings = lazy(() => import("./models/ModelSettings"));
const ChannelSettings = lazy(() => import("./channels/ChannelSettings"));

const PARTS: Record<Section, React.ComponentType<SettingsPageProps>> = {
  profile: ProfileSettings,
  notifications: NotificationSettings,
  away: AwaySettings,
  tokens: TokenSettings,
  members: MemberSettings,
  groups: GroupSettings,
  workspace: WorkspaceSettings,
  models: ModelSettings,
  channels: ChannelSettings,
};

interface SettingsPageProps {
  search: SettingsSearch;
  /** Leave for another workspace. */
  goTo: (workspace: string) => void;
}

export function SettingsPage({ search, goTo }: SettingsPageProps) {
  const { section = "profile" } = search;
  const Part = PARTS[section];
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>Settings</h1>
      </header>
      <Tabs label="Parts of the settings" shown={section}>
        {Object.entries(SECTIONS).map(([name, label]) => (
          <Link
            key={name}
            to="/settings"
            search={{ section: name === "profile" ? undefined : (name as Section) }}
            activeOptions={{ includeSearch: true, explicitUndefined: true }}
          >
            {label}
          </Link>
        ))}
      </Tabs>
      <Suspense fallback={<Loading lines={4} />}>
        <Part search={search} goTo={goTo} />
      </Suspense>
    </div>
  );
}
