import { Button, Radio } from "@mantine/core";
import { useState } from "react";
import classes from "./ask.module.css";
import type { Option } from "./choices";

interface OptionsProps {
  options: Option[];
  /** The value chosen to begin with. */
  first?: unknown;
  pending: boolean;
  onSend: (value: unknown) => void;
}

/** One of several choices, each with room to say what it means. */
export function Options({ options, first, pending, onSend }: OptionsProps) {
  const [chosen, setChosen] = useState(() => options.find((option) => option.value === first)?.id ?? "");
  const option = options.find(({ id }) => id === chosen);
  return (
    <>
      <Radio.Group value={chosen} onChange={setChosen} aria-label="Your answer">
        <div className={classes.options}>
          {options.map(({ id, label, description }) => (
            <Radio.Card key={id} value={id} className={classes.option} data-checked={id === chosen}>
              <Radio.Indicator />
              <span>
                <span style={{ fontWeight: 560 }}>{label}</span>
                {description && (
                  <span className="small dim" style={{ display: "block" }}>
                    {description}
                  </span>
                )}
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
      <div className={classes.buttons}>
        <Button data-main loading={pending} disabled={!option} onClick={() => option && onSend(option.value)}>
          Send answer
        </Button>
      </div>
    </>
  );
}
