import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import type { components } from "@/api/schema";
import { failed, said } from "@/ui/overlay/toast";

export type Note = components["schemas"]["NoteOut"];
/** What a person writes; without a name it has none. */
export interface NoteWords {
  text: string;
  key: string | null;
}

const PATH = "/api/agents/{slug}/memory";

/** How people keep an agent's memory in order. */
export function useNotes(slug: string) {
  const queries = useQueryClient();
  const options = { onSuccess: () => queries.invalidateQueries({ queryKey: keyOf(PATH) }), onError: failed };
  const keep = api.useMutation("post", PATH, options);
  const change = api.useMutation("patch", `${PATH}/{note_id}`, options);
  const forget = api.useMutation("delete", `${PATH}/{note_id}`, options);
  const of = (id: string) => ({ path: { slug, note_id: id } });
  return {
    pending: [keep, change, forget].some(({ isPending }) => isPending),
    keep: (body: NoteWords, onDone: () => void) =>
      keep.mutate({ params: { path: { slug } }, body }, { onSuccess: onDone }),
    change: (id: string, body: NoteWords, onDone: () => void) =>
      change.mutate({ params: of(id), body }, { onSuccess: onDone }),
    forget: (id: string, onDone: () => void) =>
      forget.mutate(
        { params: of(id) },
        {
          onSuccess: () => {
            onDone();
            said("Deleted. The agent no longer finds it.");
          },
        },
      ),
  };
}

export type NoteChanges = ReturnType<typeof useNotes>;
