import type { ReactNode } from "react";
import type { Run } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/text/Prose";
import { Fields, Value } from "@/ui/values/Values";
import classes from "../run.module.css";

interface RunResultProps {
  run: Run;
  title: string;
  children: ReactNode;
}

/** What came out of it, and the way to what it made. */
export function RunResult({ run, title, children }: RunResultProps) {
  if (run.output === null || run.output === undefined) return null;
  const { summary, ...rest } = fieldsOf(run.output);
  const more = Object.entries(rest);
  return (
    <section className={`card ${classes.result}`} aria-label={title}>
      <h2 className="row">
        <Icon name="flag" size={16} /> {title}
      </h2>
      {typeof summary === "string" ? <Prose text={summary} /> : summary !== undefined && <Value value={summary} />}
      {more.length > 0 && <Fields values={more} />}
      {children}
    </section>
  );
}

function fieldsOf(output: unknown): Record<string, unknown> {
  return typeof output === "object" && output !== null && !Array.isArray(output)
    ? (output as Record<string, unknown>)
    : { summary: output };
}
