import type { EffectPreview as Preview, Values } from "@/api/types";
import { DiffLines } from "@/ui/text/DiffLines";
import { Fields } from "@/ui/values/Values";
import classes from "./effects.module.css";
import { mailFields, requestFields, rowFields } from "./previewFields";
import { linesOfDiff } from "./unifiedDiff";

/** What a call would change, as it was found out before anybody was asked. */
export function EffectPreview({ preview }: { preview: Preview | null | undefined }) {
  if (!preview) return null;
  return (
    <section className={classes.section} aria-label="What it would change">
      <div className="label">What it would change</div>
      <Effect preview={preview} />
    </section>
  );
}

/** The same without a heading, for where one stands already. */
export function Effect({ preview }: { preview: Preview }) {
  const { kind, summary, why, detail = {} } = preview;
  if (kind === "batch") return <Parts calls={detail.calls} />;
  return (
    <div className="stack">
      {kind === "none" ? <p className="small dim">No preview: {why}</p> : <p className="small">{summary}</p>}
      <Detail kind={kind} detail={detail} />
      <DryRun said={preview.dry_run} />
    </div>
  );
}

/** What a server says itself: set apart, since nobody has checked it and no approval is bound to it. */
function DryRun({ said }: { said: Preview["dry_run"] }) {
  if (!said) return null;
  if (!said.text) return <p className="small dim">The server gave no dry run: {said.why}</p>;
  return (
    <figure className={classes.dryRun} aria-label="Dry run">
      <figcaption className="small dim">
        A dry run, in the server's own words. Nobody has checked them, and they are no part of what you approve.
      </figcaption>
      <pre>{said.text}</pre>
    </figure>
  );
}

function Parts({ calls }: { calls: unknown }) {
  const parts = Array.isArray(calls) ? (calls as (Preview | null)[]) : [];
  return (
    <>
      {parts.map(
        (part, place) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a call of a batch is known by its place
          part && <Effect key={place} preview={part} />,
      )}
    </>
  );
}

function Detail({ kind, detail }: { kind: Preview["kind"]; detail: Values }) {
  if (typeof detail.no_diff === "string") return <p className="small dim">{detail.no_diff}</p>;
  if (kind === "diff" && typeof detail.diff === "string" && detail.diff !== "")
    return (
      <div className={classes.diff}>
        <DiffLines lines={linesOfDiff(detail.diff)} />
      </div>
    );
  if (kind === "fields" && Array.isArray(detail.fields))
    return <Fields values={detail.fields.map(({ label, value }) => [String(label), value])} />;
  if (kind === "request") return <Fields values={requestFields(detail)} />;
  if (kind === "mail") return <Fields values={mailFields(detail)} />;
  if (kind === "rows") return <Fields values={rowFields(detail)} />;
  return null;
}
