import { Link } from "@tanstack/react-router";
import page from "@/ui/page.module.css";
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
      <nav className={page.tabs} aria-label="Parts of the settings">
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
      </nav>
      <Part />
    </div>
  );
}
