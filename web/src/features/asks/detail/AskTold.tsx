import { Button, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { wordsOf } from "@/api/problems";
import type { Ask } from "@/api/types";
import { Told, ToldList } from "@/ui/domain/told/ToldList";
import { useTold } from "@/ui/domain/told/useTold";
import classes from "../ask.module.css";

const FIRST = 3;

/** Who was told of it outside the app: in a line, or each in one of its own. */
export function AskTold({ ask }: { ask: Ask }) {
  const { told, isLoadingError, error, refetch } = useTold({
    of: { ask: ask.id },
    runId: ask.run_id,
    since: ask.created_at,
  });
  const [all, setAll] = useState(false);
  if (isLoadingError)
    return (
      <p className={`row wrap ${classes.fold}`}>
        Couldn't load who was told outside. {wordsOf(error)}
        <Button size="compact-xs" variant="default" onClick={() => refetch()}>
          Try again
        </Button>
      </p>
    );
  if (told.length === 0) return null;
  const hasMore = told.length > FIRST || told.some((delivery) => delivery.error);
  return (
    <section className={classes.fold} aria-label="Told outside">
      Told outside:{" "}
      {!all &&
        told.slice(0, FIRST).map((delivery, at) => (
          <span key={delivery.id}>
            {at > 0 && " · "}
            <Told delivery={delivery} />
          </span>
        ))}
      {hasMore && (
        <>
          {!all && " · "}
          <UnstyledButton className={classes.told} aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? "Show less" : told.length > FIRST ? `and ${told.length - FIRST} more` : "Details"}
          </UnstyledButton>
        </>
      )}
      {all && <ToldList told={told} />}
    </section>
  );
}
