import { NativeSelect } from "@mantine/core";
import { timesWith } from "./questionTime";

interface QuestionTimeFieldProps {
  label: string;
  /** What holds where nothing is chosen. */
  otherwise: string;
  value: string;
  disabled?: boolean;
  onChange: (value: string) => void;
}

/** How long a question waits for an answer. */
export function QuestionTimeField({ label, otherwise, value, disabled, onChange }: QuestionTimeFieldProps) {
  return (
    <NativeSelect
      label={label}
      description="Without an answer by then, the run uses the question’s default, or ends."
      inputWrapperOrder={["label", "input", "description", "error"]}
      maw="22rem"
      data={[{ value: "", label: otherwise }, ...timesWith(value, otherwise)]}
      value={value}
      disabled={disabled}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
