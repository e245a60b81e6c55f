import { Button, Progress } from "@mantine/core";
import { Icon, type IconName } from "@/ui/icons";
import page from "@/ui/page.module.css";
import classes from "./knowledge.module.css";
import type { Upload } from "./useDocumentUploads";

const STATES: Record<Upload["state"], { words: string; icon: IconName; tone: string }> = {
  waiting: { words: "Waiting", icon: "clock", tone: "calm" },
  sending: { words: "Uploading", icon: "loader-circle", tone: "info" },
  added: { words: "Added", icon: "circle-check", tone: "good" },
  known: { words: "Already there", icon: "circle-check", tone: "calm" },
  refused: { words: "Not added", icon: "circle-x", tone: "bad" },
};

interface UploadListProps {
  uploads: Upload[];
  busy: boolean;
  onClear: () => void;
}

/** What became of each file that was given. */
export function UploadList({ uploads, busy, onClear }: UploadListProps) {
  if (uploads.length === 0) return null;
  return (
    <section className={`card ${classes.uploads}`} aria-label="Uploads">
      <ul className={page.list} aria-live="polite">
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
      {!busy && (
        <Button size="compact-sm" variant="subtle" color="gray" onClick={onClear}>
          Close
        </Button>
      )}
    </section>
  );
}

function UploadRow({ upload: { name, share, state, error } }: { upload: Upload }) {
  const { words, icon, tone } = STATES[state];
  // Sent is not read yet: that takes the server a moment.
  const reading = state === "sending" && share === 1;
  return (
    <li className={classes.upload} data-tone={tone}>
      <Icon name={icon} />
      <span className="grow">
        <span className="cut">{name}</span>
        {error && <span className={classes.error}>{error}</span>}
      </span>
      {state === "sending" && !reading && (
        <Progress className={classes.progress} value={share * 100} aria-label={`Uploading ${name}`} />
      )}
      <span className="small">{reading ? "Reading" : words}</span>
    </li>
  );
}
