import { useMemberNames } from "@/api/memberNames";
import type { Ask } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Fields } from "@/ui/values/Values";
import classes from "../ask.module.css";
import { changesBetween } from "./argumentChanges";
import { ChangeList, TextChanges } from "./ChangeList";
import { MOST_BYTES, useFile } from "./runFile";

/** What the call would do, for reading. */
export function Arguments({ ask }: { ask: Ask }) {
  const values = ask.arguments ?? {};
  const named = useMemberNames(ask.original_arguments !== null);
  // What changes in a file that is there is shown as it was found out, and bound to the decision.
  const changesFile = ask.preview?.kind === "diff" && ask.preview.detail?.before != null;
  const write = changesFile ? null : fileWrite(ask);
  const others = Object.entries(values).filter(
    ([name]) => !(write || (changesFile && ask.tool === "write_file")) || name !== "content",
  );
  return (
    <div className={classes.body}>
      <div className={classes.toolhead}>
        <Icon name="terminal" size={15} />
        <code>{ask.tool}</code>
        <span className="small dim cut" title={ask.description}>
          {ask.description}
        </span>
      </div>
      {others.length > 0 ? <Fields values={others} /> : !write && <p className="small dim">No arguments.</p>}
      {write && <FileWrite {...write} />}
      {ask.original_arguments && (
        <div className="stack">
          <div className="label">Changed by {ask.edited_by.map(named).join(", ")}. What differs from the proposal:</div>
          <ChangeList changes={changesBetween(ask.original_arguments, values)} />
        </div>
      )}
    </div>
  );
}

interface Write {
  runId: string;
  path: string;
  content: string;
}

function fileWrite({ tool, run_id: runId, arguments: values, status }: Ask): Write | null {
  const { path, content } = values ?? {};
  if (tool !== "write_file" || !runId || status !== "pending") return null;
  return typeof path === "string" && typeof content === "string" ? { runId, path, content } : null;
}

/** A file as it would be: what changes against the one that is there, or all of it. */
function FileWrite({ runId, path, content }: Write) {
  const current = useFile(runId, path);
  if (typeof current.data !== "string")
    return <Fields values={[[current.data === null ? "New file" : "Content", content]]} />;
  const isCut = new TextEncoder().encode(current.data).length >= MOST_BYTES;
  if (current.data === content && !isCut)
    return <p className="small dim">The file already has exactly this content.</p>;
  return (
    <div className="stack">
      <div className="label">Changes to the existing file</div>
      {isCut && <p className="small">Compared with the first 512 KB only: the existing file is longer.</p>}
      <TextChanges before={current.data} after={content} />
    </div>
  );
}
