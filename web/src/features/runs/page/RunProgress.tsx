import { Progress as Bar } from "@mantine/core";
import type { Run } from "@/api/types";
import { statusWords } from "@/ui/domain/runs/runStatus";
import { Icon } from "@/ui/icons";
import classes from "../run.module.css";

/** Where the run stands, in the agent's own words. */
export function RunProgress({ run }: { run: Run }) {
  const { progress } = run;
  const share = run.status === "completed" ? 100 : (progress?.percentage ?? 0);
  return (
    <section className={`card ${classes.panel}`}>
      <div className="row">
        <h2 className="grow">Progress</h2>
        {progress && <span className="small dim num">{Math.round(share)} %</span>}
      </div>
      {progress ? (
        <>
          <Bar
            value={share}
            size="sm"
            aria-label="Progress"
            striped={statusWords(run).live}
            animated={statusWords(run).live}
          />
          <Steps run={run} progress={progress} />
          {progress.message && <p className="small dim">{progress.message}</p>}
        </>
      ) : (
        <p className="small dim">No progress reported yet.</p>
      )}
    </section>
  );
}

function Steps({ run, progress }: { run: Run; progress: NonNullable<Run["progress"]> }) {
  const over = run.status === "completed";
  return (
    <ul className={classes.steps}>
      {progress.completed_steps?.map((step) => (
        <li key={step} data-state="done">
          <Icon name="check" size={14} /> {step}
        </li>
      ))}
      {progress.current_step && !progress.completed_steps?.includes(progress.current_step) && (
        <li data-state={over ? "done" : "now"} aria-current={over ? undefined : "step"}>
          <Icon name={over ? "check" : "arrow-right"} size={14} /> {progress.current_step}
        </li>
      )}
      {!over &&
        progress.remaining_steps?.map((step) => (
          <li key={step} data-state="later">
            <span className={classes.later} /> {step}
          </li>
        ))}
    </ul>
  );
}
