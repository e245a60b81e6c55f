import { ActionIcon } from "@mantine/core";
import { Icon } from "@/ui/icons";
import { size } from "@/ui/preview/fileSize";
import { FileDrop } from "./FileDrop";
import classes from "./files.module.css";
import type { Sent, useUploads } from "./useUploads";

/** What a run that starts will find in its folder. */
export function FilesToGive({ uploads }: { uploads: ReturnType<typeof useUploads> }) {
  return (
    <section aria-label="Files for the run">
      <FileDrop label="Add files" onFiles={uploads.add}>
        {uploads.files.length > 0 && (
          <ul className={classes.given}>
            {uploads.files.map((file) => (
              <li key={file.key}>
                <Icon name="file-text" size={16} />
                <span className="grow small">
                  {file.name}
                  <State file={file} />
                </span>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${file.name}`}
                  onClick={() => uploads.remove(file)}
                >
                  <Icon name="x" />
                </ActionIcon>
              </li>
            ))}
          </ul>
        )}
      </FileDrop>
    </section>
  );
}

function State({ file }: { file: Sent }) {
  if (file.error)
    return (
      <span role="alert" className={`tiny ${classes.wrong}`}>
        {file.error}
      </span>
    );
  if (file.id) return <span className="tiny dim">{size(file.size)}</span>;
  return <progress className={classes.progress} aria-label={`Sending ${file.name}`} max={1} value={file.share} />;
}
