import { VisuallyHidden } from "@mantine/core";
import { Link, useMatchRoute } from "@tanstack/react-router";
import { lazy } from "react";
import { Icon } from "@/ui/icons";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { FIRST_ON_PHONE, PAGES, type PageLink } from "./pages";
import classes from "./shell.module.css";

const MorePages = lazy(() => import("./MorePages"));

/** What is new on some pages. */
export interface NewCounts {
  open: number;
  unread: number;
}

export function NavLinks(counts: NewCounts) {
  return PAGES.map((page) => <NavLink key={page.to} page={page} {...counts} />);
}

/** The first pages, and a menu with the rest. */
export function BottomLinks(counts: NewCounts) {
  const matches = useMatchRoute();
  const more = PAGES.filter(({ to }) => !FIRST_ON_PHONE.includes(to));
  return (
    <>
      {PAGES.filter(({ to }) => FIRST_ON_PHONE.includes(to)).map((page) => (
        <NavLink key={page.to} page={page} {...counts} />
      ))}
      <DropdownButton
        className={classes.link}
        active={more.some(({ to }) => matches({ to, fuzzy: true }))}
        menu={(close) => <MorePages pages={more} onClose={close} />}
      >
        <Icon name="more" size={17} /> More
      </DropdownButton>
    </>
  );
}

function NavLink({ page: { to, label, icon }, open, unread }: { page: PageLink } & NewCounts) {
  const inAsk = Boolean(useMatchRoute()({ to: "/asks/$askId" })) && to === "/inbox";
  return (
    <Link
      to={to}
      className={classes.link}
      activeOptions={{ exact: to === "/", includeSearch: false }}
      {...(inAsk && { "data-status": "active", "aria-current": "page" })}
    >
      <Icon name={icon} size={17} /> {label}
      {to === "/inbox" && <Count of={open} word="open" />}
      {to === "/notices" && <Count of={unread} word="unread" />}
    </Link>
  );
}

/** Nothing where nothing is new. */
export function Count({ of, word }: { of: number; word: string }) {
  if (of === 0) return null;
  return (
    <span className={classes.count}>
      {of > 99 ? "99+" : of}
      <VisuallyHidden> {word}</VisuallyHidden>
    </span>
  );
}
