import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { ROLES } from "@/api/roles";
import { Icon, type IconName } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { VisibleText } from "@/ui/text/VisibleText";
import classes from "./welcome.module.css";

/** After an invitation: what this is, what waits, and how to be told. */
export function WelcomePage() {
  const { user, workspace, role, has_password } = useMe();
  const waiting = api.useQuery("get", "/api/asks/count", {}).data?.pending;
  return (
    <div className={page.page}>
      <header className={page.head}>
        <h1>
          Welcome, <VisibleText text={user.name} />
        </h1>
      </header>
      <p className={page.lead}>
        You are {role === "admin" || role === "approver" ? "an" : "a"} {ROLES[role].label.toLowerCase()} in{" "}
        <VisibleText text={workspace.name} />. Agents work here for hours on their own, and stop at the moment a person
        should decide. {ROLES[role].description}.
      </p>
      <ul className={classes.steps}>
        <Step icon="inbox" title="Your inbox" action={<Link to="/inbox">Open the inbox</Link>}>
          {waiting === undefined
            ? "What agents ask is there."
            : waiting === 0
              ? "Nothing is waiting right now. When an agent asks, it shows up there."
              : `${waiting.toLocaleString("en")} ${waiting === 1 ? "ask is" : "asks are"} waiting there.`}
        </Step>
        <Step
          icon="bell"
          title="Notifications"
          action={
            <Link to="/settings" search={{ section: "notifications" }}>
              Set notifications
            </Link>
          }
        >
          Choose how you're notified, and your quiet hours.
        </Step>
        {!has_password && (
          <Step icon="key-round" title="Sign in from anywhere" action={<Link to="/settings">Set a password</Link>}>
            This browser stays signed in. Set a password within ten minutes to sign in elsewhere, too.
          </Step>
        )}
      </ul>
      <Button renderRoot={(props) => <Link {...props} to="/inbox" />} rightSection={<Icon name="arrow-right" />}>
        Start
      </Button>
    </div>
  );
}

interface StepProps {
  icon: IconName;
  title: string;
  action: ReactNode;
  children: ReactNode;
}

function Step({ icon, title, action, children }: StepProps) {
  return (
    <li className={`card ${classes.step}`}>
      <Icon name={icon} size={20} />
      <h2>{title}</h2>
      <p className="dim">{children}</p>
      {action}
    </li>
  );
}
