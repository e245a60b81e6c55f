import { ApproveBar } from "../decision/ApproveBar";
import { type DecideProps, isOpen } from "../decision/decideProps";

/** A phase is done: let the next one begin, or send the agent back with a reason. */
export function Milestone({ children, ...props }: DecideProps) {
  return (
    <>
      {children}
      {isOpen(props.ask) && (
        <ApproveBar {...props} label="Approve and continue" denyWords="The agent reads this and reworks the phase." />
      )}
    </>
  );
}
