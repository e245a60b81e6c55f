import { Textarea, TextInput } from "@mantine/core";
import { useState } from "react";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import type { NoteWords } from "./useNotes";

interface NoteDialogProps {
  title: string;
  words?: NoteWords;
  pending: boolean;
  onSave: (words: NoteWords) => void;
  onClose: () => void;
}

const MOST_TEXT = 4000;
const MOST_NAME = 100;

/** What the agent is to find in its memory. */
export function NoteDialog({ title, words, pending, onSave, onClose }: NoteDialogProps) {
  const [text, setText] = useState(words?.text ?? "");
  const [name, setName] = useState(words?.key ?? "");
  return (
    <ConfirmDialog
      title={title}
      action="Save"
      pending={pending}
      blocked={!text.trim()}
      onConfirm={() => onSave({ text: text.trim(), key: name.trim() || null })}
      onClose={onClose}
    >
      <Textarea
        label="Text"
        autosize
        minRows={3}
        maxRows={12}
        maxLength={MOST_TEXT}
        data-autofocus
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <TextInput
        label="Name"
        description="Optional. The agent replaces a note by its name."
        maxLength={MOST_NAME}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
    </ConfirmDialog>
  );
}
