import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { wordsOf } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import type { components } from "@/api/schema";
import { refusalOf, upload } from "@/api/upload";

type Outcome = components["schemas"]["DocumentUploadsOut"];

/** One file on its way: sent, then read by the server, then kept or refused. */
export interface Upload {
  id: number;
  name: string;
  share: number;
  state: "waiting" | "sending" | "added" | "known" | "refused";
  error?: string;
}

/** Files go out one after the other, each with its own fate. */
export function useDocumentUploads() {
  const queries = useQueryClient();
  const [uploads, setUploads] = useState<Upload[]>([]);
  const line = useRef(Promise.resolve());
  const next = useRef(0);
  const change = (id: number, changed: Partial<Upload>) =>
    setUploads((all) => all.map((each) => (each.id === id ? { ...each, ...changed } : each)));
  const send = async (id: number, file: File) => {
    change(id, { state: "sending" });
    try {
      const onProgress = (share: number) => change(id, { share });
      const { items } = await upload<Outcome>("/api/documents", [file], { onProgress });
      const outcome = items[0];
      change(id, { share: 1, state: outcome?.status ?? "added", error: outcome?.error ?? undefined });
      await queries.invalidateQueries({ queryKey: keyOf("/api/documents") });
    } catch (error) {
      change(id, { state: "refused", error: refusalOf(error) ?? wordsOf(error) });
    }
  };
  const add = (files: File[]) => {
    for (const file of files) {
      const id = next.current++;
      setUploads((all) => [...all, { id, name: file.name, share: 0, state: "waiting" }]);
      line.current = line.current.then(() => send(id, file));
    }
  };
  const isDone = ({ state }: Upload) => state !== "waiting" && state !== "sending";
  return {
    uploads,
    add,
    /** What is done need not be shown for ever. */
    clear: () => setUploads((all) => all.filter((each) => !isDone(each))),
    busy: uploads.some((each) => !isDone(each)),
  };
}
