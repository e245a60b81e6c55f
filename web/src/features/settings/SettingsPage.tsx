import { Link } from "@tanstack/react-router";
import page from "@/ui/page.module.css";
import { Tabs } from "@/ui/Tabs";
import { Groups } from "./Groups";
import { Members } from "./Members";
import { Notifications } from "./Notifications";
import { Profile } from "./Profile";
import { SECTIONS, type Section } from "./sections";
import { Tokens } from "./Tokens";

const PARTS: Record<Section, () => React.ReactNode> = {
  profile: Profile,
  notifications: Notifications,
  tokens: Tokens,
  members: Members,
  groups: Groups,
};

export function SettingsPage({ section = "profile" }: { section?: Section }) {
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
      <Part />
    </div>
  );
}
