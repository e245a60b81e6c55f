import { TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useState } from "react";

type CommittedInputProps = Omit<TextInputProps, "value" | "onChange"> & {
  value: string;
  onCommit: (value: string) => void;
};

/** A field whose words count once it is left: half an id or half a number would mean something else. */
export function CommittedInput({ value, onCommit, ...props }: CommittedInputProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = () => text !== value && onCommit(text);
  return (
    <TextInput
      {...props}
      value={text}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}
