import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { answerLabel } from "@/ui/domain/askOptions";
import classes from "../ask.module.css";

/** The questions before and after this one, with what was answered. */
export function QuestionThread({ ask }: { ask: Ask }) {
  const thread = api.useQuery(
    "get",
    "/api/asks/{ask_id}/thread",
    { params: { path: { ask_id: ask.id } } },
    { enabled: Boolean(ask.follows) || ask.status !== "pending" },
  );
  const others = (thread.data?.items ?? []).filter(({ id }) => id !== ask.id);
  const named = useMemberNames(others.length > 0);
  if (others.length === 0) return null;
  return (
    <section>
      <h3 className="label">Related questions</h3>
      <ol className={classes.history}>
        {others.map((each) => (
          <li key={each.id}>
            <Link to="/asks/$askId" params={{ askId: each.id }}>
              {each.title}
            </Link>{" "}
            <span className="dim">
              {each.answer ? `${named(each.settled_by ?? "")}: ${answerLabel(each, each.answer.value)}` : each.status}
            </span>
          </li>
        ))}
      </ol>
    </section>
  );
}
