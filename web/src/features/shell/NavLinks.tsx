import { VisuallyHidden } from "@mantine/core";
import { Link, useMatchRoute } from "@tanstack/react-router";
import { lazy } from "react";
import { Icon } from "@/ui/icons";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { FIRST_ON_PHONE, PAGES, type PageLink } from "./pages";
import classes from "./shell.module.css";

const MorePages = lazy(() => import("./MorePages"));

export function NavLinks({ open }: { open: number }) {
  return PAGES.map((page) => <NavLink key={page.to} page={page} open={open} />);
}

/** The first pages, and a menu with the rest. */
export function BottomLinks({ open }: { open: number }) {
  const matches = useMatchRoute();
  const more = PAGES.slice(FIRST_ON_PHONE);
  return (
    <>
      {PAGES.slice(0, FIRST_ON_PHONE).map((page) => (
        <NavLink key={page.to} page={page} open={open} />
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

function NavLink({ page: { to, label, icon }, open }: { page: PageLink; open: number }) {
  const inAsk = Boolean(useMatchRoute()({ to: "/asks/$askId" })) && to === "/inbox";
  return (
    <Link
      to={to}
      className={classes.link}
      activeOptions={{ exact: to === "/", includeSearch: false }}
      {...(inAsk && { "data-status": "active", "aria-current": "page" })}
    >
      <Icon name={icon} size={17} /> {label}
      {to === "/inbox" && open > 0 && (
        <span className={classes.count}>
          {open > 99 ? "99+" : open}
          <VisuallyHidden> open</VisuallyHidden>
        </span>
      )}
    </Link>
  );
}
