import type { RunFile } from "@/api/types";

interface InFolder extends RunFile {
  name: string;
}

/** Files under their folders, the top of the tree first. */
export function byFolder(files: readonly RunFile[]): { folder: string; files: InFolder[] }[] {
  const folders = new Map<string, InFolder[]>();
  for (const file of files) {
    const cut = file.path.lastIndexOf("/");
    const folder = cut < 0 ? "" : file.path.slice(0, cut);
    const inside = folders.get(folder) ?? [];
    inside.push({ ...file, name: file.path.slice(cut + 1) });
    folders.set(folder, inside);
  }
  return [...folders]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([folder, inside]) => ({ folder, files: inside }));
}
