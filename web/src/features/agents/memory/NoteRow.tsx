import { ActionIcon } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useMemberNames } from "@/api/memberNames";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import { NoteDialog } from "./NoteDialog";
import type { Note, NoteChanges } from "./useNotes";

interface NoteRowProps {
  note: Note;
  may: boolean;
  changes: NoteChanges;
}

export function NoteRow({ note, may, changes }: NoteRowProps) {
  const [over, setOver] = useState<"edit" | "delete" | null>(null);
  const close = () => setOver(null);
  const about = note.key ?? note.text.slice(0, 60);
  return (
    <li className={page.panel} style={{ gap: "0.35rem", paddingBlock: "0.75rem" }}>
      <div className="row wrap">
        {note.key && <Tag plain>{note.key}</Tag>}
        <Written note={note} />
        {may && (
          <>
            <ActionIcon variant="subtle" color="gray" aria-label={`Edit: ${about}`} onClick={() => setOver("edit")}>
              <Icon name="pencil" />
            </ActionIcon>
            <ActionIcon variant="subtle" color="gray" aria-label={`Delete: ${about}`} onClick={() => setOver("delete")}>
              <Icon name="trash-2" />
            </ActionIcon>
          </>
        )}
      </div>
      <p style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{note.text}</p>
      {over === "edit" && (
        <NoteDialog
          title="Edit this note"
          words={note}
          pending={changes.pending}
          onSave={(words) => changes.change(note.id, words, close)}
          onClose={close}
        />
      )}
      {over === "delete" && (
        <ConfirmDialog
          title="Delete this note?"
          action="Delete"
          danger
          pending={changes.pending}
          onConfirm={() => changes.forget(note.id, close)}
          onClose={close}
        >
          The agent no longer finds it in later runs.
        </ConfirmDialog>
      )}
    </li>
  );
}

/** Who wrote it last, and in which run. */
function Written({ note: { updated_by, updated_at, run_id } }: { note: Note }) {
  const named = useMemberNames();
  const at = <Ago at={updated_at} />;
  return (
    <span className="small dim grow">
      {run_id ? (
        <Link to="/runs/$runId" params={{ runId: run_id }}>
          In a run, {at}
        </Link>
      ) : (
        <>
          {named(updated_by)}, {at}
        </>
      )}
    </span>
  );
}
