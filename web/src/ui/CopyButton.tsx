import { Button, type ButtonProps } from "@mantine/core";
import { useState } from "react";
import { Icon } from "./icons";
import { failed } from "./overlay/toast";

const SHOWN_MS = 1600;

interface CopyButtonProps extends ButtonProps {
  text: () => string | Promise<string>;
  label?: string;
}

/** Puts a text on the clipboard and says so. */
export function CopyButton({ text, label = "Copy", ...rest }: CopyButtonProps) {
  const [done, setDone] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      setDone(true);
      setTimeout(() => setDone(false), SHOWN_MS);
    } catch {
      failed(new Error("The browser doesn't allow copying here. Select the text and copy it yourself."));
    }
  };
  return (
    <Button variant="default" leftSection={<Icon name={done ? "check" : "copy"} size={14} />} onClick={copy} {...rest}>
      {done ? "Copied" : label}
    </Button>
  );
}
