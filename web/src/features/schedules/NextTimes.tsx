import { keepPreviousData } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import classes from "./schedules.module.css";
import { inZone } from "./scheduleWords";

const PAUSE = 250;

interface NextTimesProps {
  cron: string;
  timezone: string;
}

/** What an expression means, and its next five times on the clocks of its zone. The server says so, as it will run. */
export function NextTimes({ cron, timezone }: NextTimesProps) {
  const body = useSettled(cron, timezone);
  const preview = api.useQuery(
    "post",
    "/api/schedules/preview",
    { body },
    { enabled: body.cron !== "", retry: false, placeholderData: keepPreviousData, meta: { unasked: true } },
  );
  if (!body.cron) return null;
  if (preview.isError)
    return (
      <p className={`small ${classes.error}`} role="status">
        {wordsOf(preview.error)}
      </p>
    );
  if (!preview.data) return null;
  return (
    <div className={classes.preview} role="status">
      <p>
        <b>{preview.data.in_words}</b> <span className="dim">{body.timezone}</span>
      </p>
      <ol aria-label="Next runs">
        {preview.data.next_runs.map((at) => (
          <li key={at} className="num small">
            <time dateTime={at}>{inZone(at, body.timezone)}</time>
          </li>
        ))}
      </ol>
    </div>
  );
}

/** What was typed, once nobody has typed for a moment. */
function useSettled(cron: string, timezone: string): NextTimesProps {
  const [settled, setSettled] = useState({ cron: cron.trim(), timezone });
  useEffect(() => {
    const timer = setTimeout(() => setSettled({ cron: cron.trim(), timezone }), PAUSE);
    return () => clearTimeout(timer);
  }, [cron, timezone]);
  return settled;
}
