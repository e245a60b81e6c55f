import { ActionIcon, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useMemberNames } from "@/api/memberNames";
import type { components } from "@/api/schema";
import { Icon } from "@/ui/icons";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { size } from "@/ui/preview/fileSize";
import { Ago } from "@/ui/time/clock";
import classes from "./knowledge.module.css";
import { Snippet } from "./Snippet";
import { useDeleteDocument } from "./useDeleteDocument";

export type KnownDocument = components["schemas"]["DocumentOut"];

const KINDS: Record<KnownDocument["kind"], string> = {
  markdown: "Markdown",
  text: "Text",
  pdf: "PDF",
  html: "HTML",
  docx: "Word",
};

interface DocumentRowProps {
  document: KnownDocument;
  may: boolean;
  onOpen: () => void;
}

export function DocumentRow({ document, may, onOpen }: DocumentRowProps) {
  const named = useMemberNames();
  const { name, kind, size_bytes, passage_count, created_by, created_at, matches } = document;
  return (
    <li className={classes.row}>
      <div className={classes.head}>
        <UnstyledButton className={classes.open} onClick={onOpen}>
          <Icon name="file-text" size={18} />
          <span className="grow">
            <span className={`cut ${classes.name}`}>{name}</span>
            <span className={`small dim ${classes.about}`}>
              {KINDS[kind]} · {size(size_bytes)} · {passage_count === 1 ? "1 passage" : `${passage_count} passages`} ·{" "}
              {named(created_by)}, <Ago at={created_at} />
            </span>
          </span>
        </UnstyledButton>
        {may && <DeleteDocument document={document} />}
      </div>
      {matches?.map(({ passage, where, snippet, hits }) => (
        <div key={passage} className={classes.match}>
          {where && <span className="small dim">{where}</span>}
          <Snippet text={snippet} hits={hits} />
        </div>
      ))}
    </li>
  );
}

function DeleteDocument({ document: { id, name } }: { document: KnownDocument }) {
  const [asks, setAsks] = useState(false);
  const remove = useDeleteDocument();
  return (
    <>
      <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={() => setAsks(true)}>
        <Icon name="trash-2" />
      </ActionIcon>
      {asks && (
        <ConfirmDialog
          title={`Delete ${name}?`}
          action="Delete"
          danger
          pending={remove.pending}
          onConfirm={() => remove.document(id, () => setAsks(false))}
          onClose={() => setAsks(false)}
        >
          Agents no longer find it. This cannot be undone, but you can upload the file again.
        </ConfirmDialog>
      )}
    </>
  );
}
