import { TagsInput, type TagsInputProps } from "@mantine/core";
import "./namesField.css";

interface NamesFieldProps extends Omit<TagsInputProps, "data"> {
  value: string[];
  offered: string[];
}

/** One or several names: chosen from what the workspace has, or typed. */
export function NamesField({ value, offered, placeholder = "Choose or type", ...rest }: NamesFieldProps) {
  return (
    <TagsInput
      size="sm"
      placeholder={value.length === 0 ? placeholder : undefined}
      value={value}
      data={offered}
      limit={20}
      acceptValueOnBlur
      comboboxProps={{ withinPortal: true }}
      {...rest}
    />
  );
}
