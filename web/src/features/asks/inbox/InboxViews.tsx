import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useDecidedIds } from "../outbox/useOutbox";
import classes from "./inbox.module.css";
import { type InboxSearch, VIEWS, type View } from "./inboxSearch";

/** Which part of the inbox to see: links, so that each has its address. */
export function InboxViews({ search }: { search: InboxSearch }) {
  const count = api.useQuery("get", "/api/asks/count", {}).data;
  const decided = useDecidedIds().size;
  const many = { open: Math.max(0, (count?.pending ?? 0) - decided), waiting: count?.waiting, decided: undefined };
  return (
    <nav className={classes.views} aria-label="Views of the inbox">
      {Object.entries(VIEWS).map(([view, label]) => {
        const shown = view === (search.view ?? "open");
        return (
          <Link
            key={view}
            to="/inbox"
            search={ofView(search, view)}
            // Every view has the same path: which one is shown, the search says.
            activeOptions={{ includeSearch: true, explicitUndefined: true }}
            aria-current={shown ? "page" : undefined}
          >
            {label}
            <Count of={many[view as keyof typeof many]} />
          </Link>
        );
      })}
    </nav>
  );
}

function Count({ of }: { of: number | undefined }) {
  return of ? <span className="num"> {of >= 10_000 ? "10,000+" : of.toLocaleString("en")}</span> : null;
}

/** The same search in another view: words and filters stay, what only one view knows does not. */
export function ofView({ q, kind, risk, agent, sort, grouped, mine }: InboxSearch, view: string): InboxSearch {
  const kept = { q, kind, risk, agent, sort };
  return view === "open" ? { ...kept, grouped, mine, view: undefined } : { ...kept, view: view as View };
}
