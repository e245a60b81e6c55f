import { api } from "@/api/client";
import type { Ask } from "@/api/types";
import classes from "../../ask.module.css";
import { stepCount, stepEnd, took } from "./stepWords";

/** What the run had done before it asked, folded away. Nothing is shown while that is not known. */
export function StepsBefore({ ask }: { ask: Ask }) {
  const { data } = api.useQuery(
    "get",
    "/api/asks/{ask_id}/steps-before",
    { params: { path: { ask_id: ask.id } } },
    { enabled: ask.run_id !== null, staleTime: Number.POSITIVE_INFINITY },
  );
  if (!data || data.items.length === 0) return null;
  return (
    <details>
      <summary className="small">
        Before this: {stepCount(data)} in {took(data.seconds)}
      </summary>
      <ol className={`small ${classes.stepsBefore}`}>
        {data.earlier > 0 && <li className={`dim ${classes.stepBefore}`}>{data.earlier} earlier</li>}
        {data.items.map((step, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: what is over does not change
          <li key={index} className={classes.stepBefore}>
            <span title={step.tool}>{step.headline}</span>
            <span className={`num ${classes.stepEnd}`}>{stepEnd(step)}</span>
          </li>
        ))}
      </ol>
    </details>
  );
}
