import type { FieldError } from "@/api/problems";
import classes from "../ask.module.css";

/** What must be mended before it can be sent. */
export function FieldErrors({ errors }: { errors: FieldError[] }) {
  return (
    <div id="edit-errors" aria-live="polite">
      {errors.length > 0 && (
        <ul className={classes.errors}>
          {errors.map(({ path, message }) => (
            <li key={`${path} ${message}`}>
              {path && <code>{path.replace(/^arguments\./, "")}</code>} {message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
