import { Button, Radio } from "@mantine/core";
import { useState } from "react";
import type { Ask } from "@/api/types";
import { type Option, same } from "@/ui/domain/askOptions";
import { Tag } from "@/ui/Tag";
import classes from "../ask.module.css";

interface AnswerOptionsProps {
  options: Option[];
  /** What it takes by itself when nobody answers. */
  standard?: unknown;
  suggestion?: Ask["suggestion"];
  /** What was chosen before and not sent, or taken back. */
  written: unknown;
  onChoose: (value: unknown) => void;
  onSend: (value: unknown) => void;
}

/** One of several choices, each with room to say what it means. */
export function AnswerOptions({ options, standard, suggestion, written, onChoose, onSend }: AnswerOptionsProps) {
  const likely = written ?? (suggestion ? suggestion.value : standard);
  const first = options.find(({ value }) => same(value, likely));
  const [chosen, setChosen] = useState(first?.id ?? "");
  const option = options.find(({ id }) => id === chosen);
  const choose = (next: string) => {
    setChosen(next);
    onChoose(options.find(({ id }) => id === next)?.value);
  };
  return (
    <>
      <Radio.Group value={chosen} onChange={choose} aria-label="Your answer">
        <div className={classes.options}>
          {options.map(({ id, label, description, value }) => (
            <Radio.Card key={id} value={id} className={classes.option} data-checked={id === chosen}>
              <Radio.Indicator />
              <span className="grow">
                <span className="row wrap" style={{ fontWeight: 560 }}>
                  {label}
                  {suggestion && same(value, suggestion.value) && (
                    <Tag plain tone="info">
                      usual answer, {suggestion.times} of {suggestion.of} times
                    </Tag>
                  )}
                  {standard != null && same(value, standard) && <Tag plain>default</Tag>}
                </span>
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
        <Button data-main disabled={!option} onClick={() => option && onSend(option.value)}>
          Send answer
        </Button>
      </div>
    </>
  );
}
