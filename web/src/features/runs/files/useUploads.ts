import { useEffect, useReducer, useRef } from "react";
import { http } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { UploadList } from "@/api/types";
import { upload } from "@/api/upload";

/** A file on its way to the server, or there. */
export interface Sent {
  key: number;
  name: string;
  size: number;
  /** From 0 to 1. */
  share: number;
  id?: string;
  error?: string;
}

export type Change =
  | { kind: "added"; files: Sent[] }
  | { kind: "changed"; key: number; with: Partial<Sent> }
  | { kind: "removed"; key: number };

export function changed(files: Sent[], change: Change): Sent[] {
  switch (change.kind) {
    case "added":
      return [...files, ...change.files];
    case "changed":
      return files.map((each) => (each.key === change.key ? { ...each, ...change.with } : each));
    case "removed":
      return files.filter(({ key }) => key !== change.key);
  }
}

let lastKey = 0;

/** Files that are sent as soon as they are chosen, each by itself, to be given to a run that starts. */
export function useUploads() {
  const [files, change] = useReducer(changed, []);
  const stops = useRef(new Map<number, AbortController>());
  useEffect(
    () => () => {
      for (const stop of stops.current.values()) stop.abort();
    },
    [],
  );
  const add = (chosen: readonly File[]) => {
    const added = chosen.map((file) => ({ key: ++lastKey, name: file.name, size: file.size, share: 0 }));
    change({ kind: "added", files: added });
    for (const [index, { key }] of added.entries()) void send(key, chosen[index] as File);
  };
  const send = async (key: number, file: File) => {
    const stop = new AbortController();
    stops.current.set(key, stop);
    const onProgress = (share: number) => change({ kind: "changed", key, with: { share } });
    try {
      const { items } = await upload<UploadList>("/api/files", [file], { onProgress, signal: stop.signal });
      change({ kind: "changed", key, with: { share: 1, id: items[0]?.id, name: items[0]?.name ?? file.name } });
    } catch (error) {
      if (!stop.signal.aborted) change({ kind: "changed", key, with: { error: wordsOf(error) } });
    } finally {
      stops.current.delete(key);
    }
  };
  const remove = ({ key, id }: Sent) => {
    stops.current.get(key)?.abort();
    change({ kind: "removed", key });
    // One that stays behind is forgotten within a day.
    if (id) http.DELETE("/api/files/{file_id}", { params: { path: { file_id: id } } }).catch(() => {});
  };
  return { files, add, remove, busy: files.some(({ id, error }) => !id && !error) };
}
