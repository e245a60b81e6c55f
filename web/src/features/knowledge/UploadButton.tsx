import { Button } from "@mantine/core";
import { useRef } from "react";
import { Icon } from "@/ui/icons";

export const ACCEPTED = ".md,.markdown,.txt,.text,.html,.htm,.xhtml,.pdf,.docx";

/** A button that asks for files. */
export function UploadButton({ onFiles }: { onFiles: (files: File[]) => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={field}
        type="file"
        multiple
        hidden
        accept={ACCEPTED}
        aria-label="Files to add"
        onChange={(event) => {
          onFiles([...(event.currentTarget.files ?? [])]);
          // The same file may be chosen again.
          event.currentTarget.value = "";
        }}
      />
      <Button leftSection={<Icon name="upload" size={14} />} onClick={() => field.current?.click()}>
        Add documents
      </Button>
    </>
  );
}
