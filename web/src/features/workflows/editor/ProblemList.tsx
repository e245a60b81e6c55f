import { UnstyledButton } from "@mantine/core";
import type { WorkflowProblem } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import classes from "../workflows.module.css";

interface ProblemListProps {
  problems: WorkflowProblem[];
  warnings: WorkflowProblem[];
  checking: boolean;
  onGo: (problem: WorkflowProblem) => void;
}

/** Each problem with its place; a click goes there. */
export function ProblemList({ problems, warnings, checking, onGo }: ProblemListProps) {
  return (
    <div role="status" aria-label="Problems" aria-busy={checking}>
      {problems.length === 0 && (
        <p className="small dim row">
          <Icon name="check" size={14} /> {warnings.length > 0 ? "Valid, with warnings:" : "Valid."}
        </p>
      )}
      <ul className={classes.rows}>
        {[...problems, ...warnings].map((problem, at) => (
          <li key={`${problem.step} ${problem.path} ${problem.message}`}>
            <UnstyledButton
              className={`small ${classes.problem}`}
              data-warn={at >= problems.length || undefined}
              onClick={() => onGo(problem)}
            >
              <Icon name={at < problems.length ? "circle-x" : "triangle-alert"} size={14} />
              <span>
                {problem.step && <strong>{problem.step}: </strong>}
                {problem.message}
                {problem.line && <span className="dim"> (line {problem.line})</span>}
              </span>
            </UnstyledButton>
          </li>
        ))}
      </ul>
    </div>
  );
}
