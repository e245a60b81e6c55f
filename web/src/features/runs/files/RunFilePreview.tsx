import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { http } from "@/api/client";
import type { RunFile } from "@/api/types";
import { CopyButton } from "@/ui/CopyButton";
import { Icon } from "@/ui/icons";
import { FilePreview } from "@/ui/preview/FilePreview";
import { shapeOfName } from "@/ui/preview/fileShape";
import { Empty, Failed, Loading } from "@/ui/States";
import { downloadUrl, rawUrl } from "./fileLinks";
import classes from "./files.module.css";

/** As much as the server reads of a text for a page. */
const MOST_TEXT = 512 * 1024;

/** A file of the run, as it is now and as far as a page can show it. */
export function RunFilePreview({ runId, file }: RunFilePreviewProps) {
  switch (file.kind) {
    case "image":
    case "html":
    case "pdf":
    case "binary":
      return (
        <>
          <Seen runId={runId} file={file} />
          <Actions runId={runId} path={file.path} />
        </>
      );
    default:
      return <Text runId={runId} file={file} />;
  }
}

interface RunFilePreviewProps {
  runId: string;
  file: RunFile;
}

/** What is no text, as the browser shows it. */
function Seen({ runId, file }: RunFilePreviewProps) {
  const source = rawUrl(runId, file.path);
  switch (file.kind) {
    case "image":
      return <img className={classes.image} src={source} alt={file.path} />;
    case "html":
      // Without scripts, without a place of its own, and its answer forbids every request.
      return <iframe className={classes.frame} sandbox="" src={source} title={file.path} />;
    case "pdf":
      if (navigator.pdfViewerEnabled) return <iframe className={classes.frame} src={source} title={file.path} />;
      return <NoPreview />;
    default:
      return <NoPreview />;
  }
}

function Actions({ runId, path, children }: { runId: string; path: string; children?: ReactNode }) {
  return (
    <div className="row" style={{ justifyContent: "flex-end" }}>
      {children}
      <Button
        component="a"
        href={downloadUrl(runId, path)}
        download
        variant="default"
        leftSection={<Icon name="download" />}
      >
        Download
      </Button>
    </div>
  );
}

function NoPreview() {
  return (
    <Empty icon="file-text" title="No preview for this type">
      Download it to open it with another program.
    </Empty>
  );
}

function Text({ runId, file }: RunFilePreviewProps) {
  const { path } = file;
  const content = useQuery({
    queryKey: ["file-view", runId, path],
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { data } = await http.GET("/api/runs/{run_id}/files/content", {
        params: { path: { run_id: runId }, query: { path } },
        parseAs: "text",
        signal,
      });
      return data ?? "";
    },
  });
  if (content.isPending) return <Loading lines={6} height={22} />;
  if (content.isError)
    return <Failed what="Couldn't read the file" error={content.error} retry={() => content.refetch()} />;
  return (
    <>
      <FilePreview shape={shapeOfName(path)} text={content.data} />
      <Actions runId={runId} path={path}>
        {file.size_bytes > MOST_TEXT && <span className="tiny dim grow">Only the beginning is shown.</span>}
        <CopyButton text={() => content.data} />
      </Actions>
    </>
  );
}
