import { UnstyledButton } from "@mantine/core";
import { Outlet, useNavigate } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useRef } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { showPresence } from "@/api/presence";
import { Icon } from "@/ui/icons";
import { Logo } from "@/ui/Logo";
import { useOverlay } from "@/ui/overlay/useOverlay";
import { useShortcutKeys } from "@/ui/overlay/useShortcutKeys";
import { ConnectionDot, LostBanner } from "./ConnectionStatus";
import type { PauseCommand } from "./commands";
import { BottomLinks, NavLinks } from "./NavLinks";
import { NoticeBell } from "./NoticeBell";
import classes from "./shell.module.css";
import { useTabBadge } from "./tabBadge";
import { type SignOut, UserMenu } from "./UserMenu";

const CommandPalette = lazy(() => import("./CommandPalette"));
const KeyboardHelp = lazy(() => import("./KeyboardHelp"));

interface ShellProps {
  /** The asks that are decided here and only about to be sent. */
  decided: ReadonlySet<string>;
  /** How many decisions wait for the connection. */
  kept: number;
  signOut: SignOut;
  /** Leave for another workspace. */
  goTo: (workspace: string) => void;
  /** The emergency stop, for who may use it. */
  pauseAll: PauseCommand | null;
  /** What everybody must know, above every page. */
  notice: ReactNode;
  /** What is on its way out: stands over the page, at its bottom. */
  leaving: ReactNode;
  /** What comes meanwhile. */
  arriving: ReactNode;
}

/** The frame of every page: navigation, connection, user, and what arrives or leaves meanwhile. */
export function Shell({ decided, kept, signOut, goTo, pauseAll, notice, leaving, arriving }: ShellProps) {
  const open = useOpenCount(decided);
  const unread = api.useQuery("get", "/api/notifications/count", {}).data?.unread ?? 0;
  const { over, open: show, close } = useOverlay<"palette" | "help">();
  const palette = () => show("palette");
  const help = () => show("help");
  useTabBadge(open);
  useEffect(showPresence, []);
  useShortcuts(palette, help);
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        Skip to content
      </a>
      <nav className={classes.nav} aria-label="Main">
        <div className={classes.brand}>
          <Logo /> Signoff
        </div>
        <UnstyledButton className={classes.find} onClick={palette}>
          <Icon name="search" size={15} /> <span className="grow">Go to…</span> <kbd>Ctrl K</kbd>
        </UnstyledButton>
        <NavLinks open={open} unread={unread} />
        <span className={classes.spacer} />
        <div className={classes.foot}>
          <ConnectionDot />
          <UserMenu signOut={signOut} goTo={goTo} pauseAll={pauseAll} onHelp={help} />
        </div>
      </nav>
      <header className={classes.top}>
        <Logo /> <span className="cut">{useMe().workspace.name}</span>
        <ConnectionDot />
        <UnstyledButton aria-label="Go to…" className={classes.topFind} onClick={palette}>
          <Icon name="search" size={18} />
        </UnstyledButton>
        <NoticeBell unread={unread} />
        <UserMenu compact signOut={signOut} goTo={goTo} pauseAll={pauseAll} onHelp={help} />
      </header>
      <div className={classes.middle}>
        <LostBanner kept={kept} />
        {notice}
        <main className={classes.main} id="main" tabIndex={-1}>
          <Outlet />
        </main>
        {leaving}
      </div>
      <nav className={classes.bottom} aria-label="Main, at the bottom">
        <BottomLinks open={open} unread={unread} />
      </nav>
      {arriving}
      <Suspense>
        {over === "palette" && (
          <CommandPalette decided={decided} goTo={goTo} pauseAll={pauseAll} onClose={close} onHelp={help} />
        )}
        {over === "help" && <KeyboardHelp onClose={close} />}
      </Suspense>
    </div>
  );
}

/** Without what is decided and only about to be sent. */
function useOpenCount(decided: ReadonlySet<string>): number {
  const pending = api.useQuery("get", "/api/asks/count", {}).data?.pending ?? 0;
  return Math.max(0, pending - decided.size);
}

function useShortcuts(palette: () => void, help: () => void): void {
  const navigate = useNavigate();
  const going = useRef(0);
  const go = (to: "/inbox" | "/runs" | "/agents") => () => {
    if (Date.now() - going.current < 1000) navigate({ to });
  };
  useShortcutKeys({
    "?": help,
    g: () => {
      going.current = Date.now();
    },
    i: go("/inbox"),
    r: go("/runs"),
  });
  const open = useRef(palette);
  open.current = palette;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey) return;
      event.preventDefault();
      open.current();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, []);
}
