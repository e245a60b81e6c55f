import { UnstyledButton } from "@mantine/core";
import { wordsOf } from "@/api/problems";
import { Icon } from "@/ui/icons";
import classes from "../rules.module.css";
import type { RuleProblem } from "./useRuleProblems";

interface RuleProblemListProps {
  problems: RuleProblem[];
  /** What may be saved and cannot work. */
  warnings: RuleProblem[];
  checking: boolean;
  error: unknown;
  empty: boolean;
  onGo: (place: { line: number; column: number }) => void;
}

/** Each mistake with its place and what to write instead; a click goes there. */
export function RuleProblemList({ problems, warnings, checking, error, empty, onGo }: RuleProblemListProps) {
  return (
    <div className={classes.problems} role="status" aria-label="Errors" aria-busy={checking}>
      {error ? (
        <p className={classes.bad}>Couldn't check this: {wordsOf(error)}</p>
      ) : problems.length === 0 ? (
        <p className="small dim row">
          {!empty && <Icon name="check" size={14} />}
          {empty ? "Empty: no rules." : warnings.length > 0 ? "Valid, with warnings:" : "Valid."}
        </p>
      ) : (
        <Places found={problems} onGo={onGo} />
      )}
      {problems.length === 0 && warnings.length > 0 && <Places found={warnings} warn onGo={onGo} />}
    </div>
  );
}

interface PlacesProps extends Pick<RuleProblemListProps, "onGo"> {
  found: RuleProblem[];
  warn?: boolean;
}

function Places({ found, warn = false, onGo }: PlacesProps) {
  return (
    <ul aria-label={warn ? "Warnings" : undefined}>
      {found.map(({ line, column, message }) => (
        <li key={`${line}:${column}:${message}`}>
          <UnstyledButton
            className={classes.problem}
            data-warn={warn || undefined}
            onClick={() => onGo({ line, column })}
          >
            <Icon name={warn ? "triangle-alert" : "circle-x"} size={14} />
            <span className="num">
              Line {line}, column {column}
            </span>
            <span>{message}</span>
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
