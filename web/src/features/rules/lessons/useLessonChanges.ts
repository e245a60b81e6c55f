import { useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import type { components } from "@/api/schema";
import { failed, said } from "@/ui/overlay/toast";

export type Lesson = components["schemas"]["LessonOut"];
type Change = components["schemas"]["LessonChange"];

/** How people keep lessons in order. */
export function useLessonChanges() {
  const queries = useQueryClient();
  const options = {
    onSuccess: () => queries.invalidateQueries({ queryKey: keyOf("/api/lessons") }),
    onError: failed,
  };
  const change = api.useMutation("patch", "/api/lessons/{lesson_id}", options);
  const merge = api.useMutation("post", "/api/lessons/merge", options);
  const forget = api.useMutation("delete", "/api/lessons/{lesson_id}", options);
  const params = (id: string) => ({ path: { lesson_id: id } });
  return {
    pending: [change, merge, forget].some(({ isPending }) => isPending),
    change: (id: string, body: Partial<Change>, onDone?: () => void) =>
      change.mutate({ params: params(id), body: body as Change }, { onSuccess: onDone }),
    merge: (ids: string[], text: string, onDone: () => void) =>
      merge.mutate({ body: { ids, text } }, { onSuccess: onDone }),
    forget: (id: string) =>
      forget.mutate({ params: params(id) }, { onSuccess: () => said("Deleted. Agents no longer read this.") }),
  };
}

export type LessonChanges = ReturnType<typeof useLessonChanges>;
