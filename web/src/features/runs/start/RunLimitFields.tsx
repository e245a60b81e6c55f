import { TextInput } from "@mantine/core";
import type { Agent } from "@/api/types";
import { LIMITS, type LimitTexts, limitProblem, limitWords, ownLimits } from "@/ui/domain/runs/runLimits";
import classes from "../runs.module.css";

interface RunLimitFieldsProps {
  limits: LimitTexts;
  own: Agent["limits"];
  onChange: (limits: LimitTexts) => void;
}

/** How long, how costly and how many steps; what is left empty stays as the agent has it. */
export function RunLimitFields({ limits, own, onChange }: RunLimitFieldsProps) {
  const defaults = ownLimits(own);
  return (
    <div className="stack" style={{ gap: "0.4rem" }}>
      <div className={classes.more}>
        {LIMITS.map(({ name, label, most, least, step }) => (
          <TextInput
            key={name}
            label={label}
            type="number"
            inputMode="decimal"
            min={least}
            max={most}
            step={step}
            placeholder={String(defaults[name])}
            value={limits[name]}
            error={limitProblem(name, limits[name])}
            onChange={(event) => onChange({ ...limits, [name]: event.currentTarget.value })}
          />
        ))}
      </div>
      <p className="small dim">{limitWords(own, limits)}</p>
    </div>
  );
}
