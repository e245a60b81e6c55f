import { UnstyledButton } from "@mantine/core";
import { wordsOf } from "@/api/problems";
import { Icon } from "@/ui/icons";
import classes from "../rules.module.css";
import type { RuleProblem } from "./useRuleProblems";

interface RuleProblemListProps {
  problems: RuleProblem[];
  checking: boolean;
  error: unknown;
  empty: boolean;
  onGo: (place: { line: number; column: number }) => void;
}

/** Each mistake with its place and what to write instead; a click goes there. */
export function RuleProblemList({ problems, checking, error, empty, onGo }: RuleProblemListProps) {
  return (
    <div className={classes.problems} role="status" aria-label="Mistakes" aria-busy={checking}>
      {error ? (
        <p className={classes.bad}>It could not be checked: {wordsOf(error)}</p>
      ) : problems.length === 0 ? (
        <p className="small dim row">
          {!empty && <Icon name="check" size={14} />}
          {empty ? "Empty: no rules." : "Valid."}
        </p>
      ) : (
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.line}:${problem.column}:${problem.message}`}>
              <UnstyledButton className={classes.problem} onClick={() => onGo({ ...problem })}>
                <Icon name="circle-x" size={14} />
                <span className="num">
                  Line {problem.line}, column {problem.column}
                </span>
                <span>{problem.message}</span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
