import { Outlet } from "@tanstack/react-router";
import { useEffect } from "react";
import { api } from "@/api/client";
import type { Connection } from "@/api/events";
import { useLive } from "@/api/useLive";
import { Logo } from "@/ui/Logo";
import { NavLinks } from "./NavLinks";
import classes from "./shell.module.css";
import { UserMenu } from "./UserMenu";

/** The frame of every page: navigation, connection, user. */
export function Shell() {
  const connection = useLive();
  const open = useOpenAsks();
  useEffect(() => {
    document.title = open > 0 ? `(${open}) Signoff` : "Signoff";
  }, [open]);
  return (
    <div className={classes.shell}>
      <nav className={classes.nav} aria-label="Main">
        <div className={classes.brand}>
          <Logo /> Signoff
        </div>
        <NavLinks open={open} />
        <span className={classes.spacer} />
        <div className={classes.foot}>
          <ConnectionDot state={connection} />
          <UserMenu />
        </div>
      </nav>
      <header className={classes.top}>
        <Logo /> Signoff
        <ConnectionDot state={connection} />
        <UserMenu compact />
      </header>
      <main className={classes.main} id="main">
        <Outlet />
      </main>
      <nav className={classes.bottom} aria-label="Main, at the bottom">
        <NavLinks open={open} />
      </nav>
    </div>
  );
}

function useOpenAsks(): number {
  return api.useQuery("get", "/api/asks/count", {}).data?.pending ?? 0;
}

const WORDS: Record<Connection, string> = {
  connecting: "Connecting",
  open: "Live",
  lost: "Reconnecting",
  idle: "Resting",
};

function ConnectionDot({ state }: { state: Connection }) {
  return (
    <div className={classes.connection} role="status" title="Whether this page hears at once what happens">
      <span className={classes.dot} data-state={state} />
      {WORDS[state]}
    </div>
  );
}
