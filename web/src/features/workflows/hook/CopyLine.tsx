import { CopyButton } from "@/ui/CopyButton";
import classes from "./hook.module.css";

/** A text to be taken elsewhere, with a button that does it. */
export function CopyLine({ label, text, note }: { label: string; text: string; note?: string }) {
  return (
    <section aria-label={label}>
      <p className="small">
        <strong>{label}</strong>
        {note && ` · ${note}`}
      </p>
      <div className={classes.line}>
        <code>{text}</code>
        <CopyButton text={() => text} size="xs" />
      </div>
    </section>
  );
}
