import { Handle, type Node, type NodeProps, Position } from "@xyflow/react";
import { useContext } from "react";
import type { RunStep, WorkflowStep } from "@/api/workflows/workflows";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { duration } from "@/ui/time/duration";
import { useDoerNames } from "../graph/doerNames";
import { kindOfStep, stateWords } from "../graph/stepStates";
import classes from "../workflows.module.css";
import { CheckpointSlot } from "./CheckpointSlot";
import { ItsAsk } from "./ItsAsk";

export type StepFlowNode = Node<{ step: WorkflowStep; problems: string[]; state?: RunStep }, "step">;

/** One step: its name, what runs, how far it is, and what is wrong with it. */
export function StepNode({ data: { step, problems, state }, selected }: NodeProps<StepFlowNode>) {
  const checkpoint = useContext(CheckpointSlot);
  const { icon } = kindOfStep(step);
  const doerOf = useDoerNames();
  const wrong = problems.length > 0;
  return (
    <div
      className={classes.step}
      data-chosen={selected || undefined}
      data-bad={wrong || undefined}
      data-state={state?.status}
      aria-current={state?.status === "running" ? "step" : undefined}
    >
      <Handle type="target" position={Position.Top} />
      <p className={classes.stepName}>
        <span className={classes.stepIcon}>
          <Icon name={icon} size={15} />
        </span>
        <strong className="cut">{step.name ?? step.id}</strong>
      </p>
      <p className="small dim cut">{doerOf(step) || "Nothing chosen"}</p>
      {state ? (
        <p className="small row">
          <Tag tone={stateWords(state.status).tone} live={state.status === "running"}>
            {stateWords(state.status).label}
          </Tag>
          {state.working_seconds != null && <span className="dim num">{duration(state.working_seconds)}</span>}
        </p>
      ) : (
        !wrong && <Marks step={step} />
      )}
      {wrong && (
        <p className={`tiny ${classes.nodeProblem}`} title={problems.join("\n")}>
          <Icon name="circle-x" size={13} />{" "}
          <span>
            {problems.length > 1 ? `${problems.length} problems. ` : ""}
            {problems[0]}
          </span>
        </p>
      )}
      {state?.status === "waiting" && state.waits_for && (
        <div className="nodrag nopan">
          <ItsAsk askId={state.waits_for} />
        </div>
      )}
      {state?.status === "waiting" && state.ask_id && !state.waits_for && checkpoint && (
        <div className={`nodrag nopan nowheel ${classes.nodeAsk}`}>{checkpoint(state.ask_id)}</div>
      )}
      <Handle type="source" position={Position.Bottom} />
    </div>
  );
}

/** What is special about a step. */
function Marks({ step }: { step: WorkflowStep }) {
  return (
    <p className={`tiny dim ${classes.marks}`}>
      {step.checkpoint && (
        <span>
          <Icon name="shield-check" size={13} /> Checkpoint
        </span>
      )}
      {step.each && (
        <span>
          <Icon name="repeat" size={13} /> For each
        </span>
      )}
      {step.when && (
        <span>
          <Icon name="circle-help" size={13} /> Only when
        </span>
      )}
    </p>
  );
}
