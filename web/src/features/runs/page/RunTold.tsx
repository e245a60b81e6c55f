import type { Run } from "@/api/types";
import { ToldList } from "@/ui/domain/told/ToldList";
import { useTold } from "@/ui/domain/told/useTold";
import { useShowMore } from "@/ui/text/ShowMore";
import classes from "../run.module.css";

const FIRST = 5;

/** Who was told of its asks and of its end outside the app. */
export function RunTold({ run }: { run: Run }) {
  const since = run.ended_at ?? run.created_at;
  const told = useTold({ of: { run: run.id }, runId: run.id, since }).told.toReversed();
  const { shown, more } = useShowMore(told.length, FIRST, "messages");
  if (told.length === 0) return null;
  return (
    <section className={`card ${classes.panel}`} aria-label="Told outside">
      <h2>Told outside</h2>
      <ToldList told={told.slice(0, shown)} titled />
      {more}
    </section>
  );
}
