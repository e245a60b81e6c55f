import { Modal, UnstyledButton } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import { useMemberNames } from "@/api/memberNames";
import type { RunFile } from "@/api/types";
import { Icon } from "@/ui/icons";
import { size } from "@/ui/preview/fileSize";
import { Ago } from "@/ui/time/clock";
import classes from "./files.module.css";
import { byFolder } from "./fileTree";
import { RunFilePreview } from "./RunFilePreview";

interface RunFileBrowserProps {
  runId: string;
  files: RunFile[];
  /** The path of the file to begin with. */
  first: string;
  onClose: () => void;
}

/** The folder beside the file that is read. */
export default function RunFileBrowser({ runId, files, first, onClose }: RunFileBrowserProps) {
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const [path, setPath] = useState(first);
  const shown = files.find((file) => file.path === path);
  const named = useMemberNames(Boolean(shown?.given_by));
  return (
    <Modal
      opened
      onClose={onClose}
      size={files.length > 1 ? "76rem" : "56rem"}
      fullScreen={phone}
      title={path}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={classes.browser} data-alone={files.length < 2 || undefined}>
        {files.length > 1 && (
          <nav className={classes.tree} aria-label="Folder">
            {byFolder(files).map(({ folder, files: inside }) => (
              <section key={folder} aria-label={folder || "Top of the folder"}>
                {folder && (
                  <h3 className="tiny dim">
                    <Icon name="folder" size={13} /> {folder}
                  </h3>
                )}
                {inside.map(({ path: own, name, size_bytes }) => (
                  <UnstyledButton
                    key={own}
                    className={classes.leaf}
                    aria-current={own === path || undefined}
                    onClick={() => setPath(own)}
                  >
                    <span className={`grow small ${classes.path}`}>{name}</span>
                    <span className="tiny dim num">{size(size_bytes)}</span>
                  </UnstyledButton>
                ))}
              </section>
            ))}
          </nav>
        )}
        <div className={classes.pane}>
          {shown ? (
            <>
              <p className="tiny dim">
                {size(shown.size_bytes)} · changed <Ago at={shown.modified_at} />
                {shown.given_by && ` · given by ${named(shown.given_by)}`}
              </p>
              <RunFilePreview key={`${path} ${shown.modified_at}`} runId={runId} file={shown} />
            </>
          ) : (
            <p className="dim">This file is gone.</p>
          )}
        </div>
      </div>
    </Modal>
  );
}
