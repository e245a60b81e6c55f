import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { Icon } from "@/ui/icons";
import classes from "./away.module.css";
import { awayWords } from "./awayWords";

/** A line across every page for both: who is away, and who decides for them. */
export function AwayBanner() {
  const { user } = useMe();
  const found = api.useQuery("get", "/api/delegations", { params: { query: { limit: 50 } } }).data?.items ?? [];
  const lines = found.map((each) => ({ id: each.id, words: awayWords(each, user.email) }));
  return lines.map(
    ({ id, words }) =>
      words && (
        <div key={id} className={classes.banner} role="status">
          <Icon name="user" size={15} />
          <span className="grow">{words}</span>
          <Link to="/settings" search={{ section: "away" }}>
            Change
          </Link>
        </div>
      ),
  );
}
