import { Button } from "@mantine/core";
import { type DragEvent, type ReactNode, useRef, useState } from "react";
import { Icon } from "@/ui/icons";
import classes from "./files.module.css";

interface FileDropProps {
  label: string;
  onFiles: (files: File[]) => void;
  busy?: boolean;
  children?: ReactNode;
}

/** A place to drop files on, with a button for those who do not drag. */
export function FileDrop({ label, onFiles, busy, children }: FileDropProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = (list: FileList | null) => {
    if (list && list.length > 0) onFiles([...list]);
  };
  const drag = (event: DragEvent, isOver: boolean) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setOver(isOver);
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button does the same for keyboards
    <div
      className={classes.drop}
      data-over={over || undefined}
      onDragOver={(event) => drag(event, true)}
      onDragLeave={(event) => drag(event, false)}
      onDrop={(event) => {
        drag(event, false);
        take(event.dataTransfer.files);
      }}
    >
      {children}
      <div className={classes.dropLine}>
        <Button
          variant="default"
          size="compact-sm"
          loading={busy}
          leftSection={<Icon name="plus" size={14} />}
          onClick={() => input.current?.click()}
        >
          {label}
        </Button>
        <span className={`tiny dim ${classes.dropHint}`}>or drop them here</span>
      </div>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        aria-label={label}
        onChange={(event) => {
          take(event.currentTarget.files);
          // The same file can be chosen again.
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}
