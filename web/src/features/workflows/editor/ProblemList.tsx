import { UnstyledButton } from "@mantine/core";
import { wordsOf } from "@/api/problems";
import type { WorkflowProblem } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import classes from "../workflows.module.css";
import type { WorkflowDraft } from "./useWorkflowDraft";

// Whose problems name it themselves.
const PLAIN = new Set(["", "steps", "yaml"]);

interface ProblemListProps {
  draft: Pick<WorkflowDraft, "problems" | "warnings" | "checking" | "checked" | "checkError" | "read" | "isFresh">;
  onGo: (problem: WorkflowProblem) => void;
}

/** Each problem with its place; a click goes there. */
export function ProblemList({ draft: { problems, warnings, checked, ...draft }, onGo }: ProblemListProps) {
  return (
    <div role="status" aria-label="Problems" aria-busy={draft.checking}>
      {!draft.read.ok && <p className="small dim">Until the text can be read, the canvas shows what it was before.</p>}
      {!checked && !draft.isFresh && (
        <p className="small dim">
          {draft.checkError ? `It could not be checked. ${wordsOf(draft.checkError)}` : "Being checked …"}
        </p>
      )}
      {draft.isFresh && <p className="small dim">Add a first step to begin.</p>}
      {checked && !draft.isFresh && problems.length === 0 && (
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
                {!problem.step && !PLAIN.has(problem.path) && <strong>{problem.path}: </strong>}
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
