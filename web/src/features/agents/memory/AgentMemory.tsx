import { Button } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { LoadMore } from "@/ui/list/LoadMore";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { NoteDialog } from "./NoteDialog";
import { NoteRow } from "./NoteRow";
import { useNotes } from "./useNotes";

/** What the agent keeps from run to run; people read it, and put it right. */
export default function AgentMemory({ slug }: { slug: string }) {
  const may = useMay("approver");
  const changes = useNotes(slug);
  const [adding, setAdding] = useState(false);
  const list = api.useInfiniteQuery(
    "get",
    "/api/agents/{slug}/memory",
    { params: { path: { slug }, query: { limit: 50 } } },
    { initialPageParam: null, getNextPageParam: (last) => last.next_cursor, pageParamName: "cursor" },
  );
  if (list.isPending) return <Loading lines={4} height={56} />;
  if (!list.data) return <Failed what="Couldn't load the memory" error={list.error} retry={() => list.refetch()} />;
  const notes = list.data.pages.flatMap(({ items }) => items);
  return (
    <>
      <div className="row wrap" style={{ marginBottom: "0.75rem" }}>
        <p className="small dim grow">
          What this agent keeps from run to run with <code>keep_memory</code>, and finds with <code>find_memory</code>.{" "}
          {!may && needsWords("approver", "change it")}
        </p>
        {may && (
          <Button variant="default" leftSection={<Icon name="plus" size={14} />} onClick={() => setAdding(true)}>
            Add a note
          </Button>
        )}
      </div>
      {notes.length === 0 ? (
        <Empty icon="lightbulb" title="Nothing kept yet">
          An agent that has the memory tools keeps facts and preferences here. You can add some yourself.
        </Empty>
      ) : (
        <ul className={`card ${page.list}`} style={{ margin: 0, padding: 0, listStyle: "none" }} aria-label="Notes">
          {notes.map((note) => (
            <NoteRow key={note.id} note={note} may={may} changes={changes} />
          ))}
        </ul>
      )}
      <LoadMore list={list} />
      {adding && (
        <NoteDialog
          title="Add a note"
          pending={changes.pending}
          onSave={(words) => changes.keep(words, () => setAdding(false))}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}
