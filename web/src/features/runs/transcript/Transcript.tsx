import { ActionIcon } from "@mantine/core";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Ask, Run } from "@/api/types";
import { hasEnded } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import { Failed, Loading } from "@/ui/States";
import classes from "../run.module.css";
import { BeingWritten, OneEntry } from "./TranscriptEntry";
import { useRunAsks } from "./useRunAsks";
import { scroller, useScrollFollow } from "./useScrollFollow";
import { useScrollKeys } from "./useScrollKeys";
import { entriesOf, useTranscript } from "./useTranscript";

const ALL = Number.POSITIVE_INFINITY;
const AHEAD = 30;

interface TranscriptProps {
  run: Run;
  /** Where an open ask is decided. */
  askCard: (ask: Ask, first: boolean) => ReactNode;
}

/** The run's thread: what was said and done, what is being written, and what it asks. Only what is near is drawn. */
export function Transcript({ run, askCard }: TranscriptProps) {
  // A run at work is read to its end, since that is where it goes on; an ended one as far as somebody reads.
  const [wanted, setWanted] = useState(hasEnded(run) ? 1 : ALL);
  const messages = useTranscript(run, wanted);
  const asks = useRunAsks(run);
  const entries = useMemo(() => entriesOf(messages.items, asks.known.values()), [messages.items, asks]);
  const list = useRef<HTMLOListElement>(null);
  const margin = useTop(list, messages.isPending);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: scroller,
    getItemKey: (index) => entries[index]?.id ?? index,
    estimateSize: () => 96,
    overscan: 8,
    scrollMargin: margin,
  });
  const drawn = rows.getVirtualItems();
  const near = (drawn.at(-1)?.index ?? 0) + AHEAD >= entries.length;
  const wantsMore = near && messages.hasMore && messages.pages >= wanted;
  useLayoutEffect(() => {
    if (wantsMore) setWanted((pages) => pages + 1);
  }, [wantsMore]);
  const { away, follow, letGo } = useScrollFollow(list, {
    ready: !messages.isPending,
    // A workflow is watched on its steps, which stand above and answer its checkpoints.
    live: !hasEnded(run) && run.kind !== "workflow",
    whole: !messages.hasMore,
  });
  const toEnd = () => {
    setWanted(ALL);
    follow();
  };
  useScrollKeys({ toEnd, letGo });
  if (messages.isPending)
    return (
      <>
        <Loading lines={2} height={56} />
        <ol className={classes.transcript} aria-label="Transcript">
          <BeingWritten run={run} />
        </ol>
      </>
    );
  if (messages.isError && entries.length === 0)
    return <Failed what="Couldn't load the transcript" error={messages.error} retry={() => messages.refetch()} />;
  const [first, last] = [drawn[0], drawn.at(-1)];
  return (
    <>
      <ol className={classes.transcript} aria-label="Transcript" ref={list} aria-busy={messages.isFetching}>
        {first && first.start > margin && <li aria-hidden="true" style={{ height: first.start - margin }} />}
        {drawn.map(({ index, key }) => {
          const entry = entries[index];
          return (
            entry && (
              <li
                key={key}
                ref={rows.measureElement}
                data-index={index}
                className={classes.entry}
                aria-setsize={messages.hasMore ? -1 : entries.length}
                aria-posinset={index + 1}
              >
                <OneEntry entry={entry} asks={asks.known} />
              </li>
            )
          );
        })}
        {last && <li aria-hidden="true" style={{ height: rows.getTotalSize() - (last.end - margin) }} />}
        {messages.hasMore && (
          <li className="small dim" role="status">
            {messages.items.length} of {messages.total} messages loaded
          </li>
        )}
        <BeingWritten run={run} />
        {asks.open.map((ask, index) => (
          <li key={ask.id} className={`card ${classes.ask}`}>
            {askCard(ask, index === 0)}
          </li>
        ))}
      </ol>
      {/* It would lie on the steps of a workflow, whose header leads to what is asked. */}
      {away && run.kind !== "workflow" && (
        <ActionIcon
          className={classes.jump}
          variant="default"
          radius="xl"
          size="lg"
          aria-label={asks.open.length > 0 ? "To the open ask" : "To the end"}
          onClick={toEnd}
        >
          <Icon name="arrow-down" />
        </ActionIcon>
      )}
    </>
  );
}

/** How far below the top of the scrolled page the list begins. */
function useTop(list: React.RefObject<HTMLElement | null>, again: boolean): number {
  const [top, setTop] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list is there once loading has ended
  useLayoutEffect(() => {
    const page = scroller();
    const element = list.current;
    if (!page || !element) return;
    const measure = () =>
      setTop(Math.round(element.getBoundingClientRect().top - page.getBoundingClientRect().top + page.scrollTop));
    const watch = new ResizeObserver(measure);
    for (const above of [page.firstElementChild, element.parentElement?.parentElement?.previousElementSibling])
      if (above) watch.observe(above);
    measure();
    return () => watch.disconnect();
  }, [again]);
  return top;
}
