import { type DragEvent, type ReactNode, useState } from "react";
import { Icon } from "@/ui/icons";
import classes from "./knowledge.module.css";

interface DropAreaProps {
  enabled: boolean;
  onFiles: (files: File[]) => void;
  children: ReactNode;
}

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes("Files");

/** Files that are dropped anywhere on the page are taken. The button beside does the same by keyboard. */
export function DropArea({ enabled, onFiles, children }: DropAreaProps) {
  const [over, setOver] = useState(false);
  if (!enabled) return children;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only a pointer can drop
    <div
      className={classes.drop}
      onDragOver={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false);
      }}
      onDrop={(event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setOver(false);
        onFiles([...event.dataTransfer.files]);
      }}
    >
      {children}
      {over && (
        <div className={classes.over}>
          <Icon name="upload" size={22} /> Drop to add
        </div>
      )}
    </div>
  );
}
