import { Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { http } from "@/api/client";
import { CopyButton } from "@/ui/CopyButton";
import { FilePreview } from "@/ui/preview/FilePreview";
import { shapeOfName } from "@/ui/preview/fileShape";
import { Failed, Loading } from "@/ui/States";

interface RunFileDialogProps {
  runId: string;
  path: string;
  onClose: () => void;
}

/** A file of the run, as it is now. */
export default function RunFileDialog({ runId, path, onClose }: RunFileDialogProps) {
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
  return (
    <Modal opened onClose={onClose} size="56rem" title={path} closeButtonProps={{ "aria-label": "Close" }}>
      {content.isPending && <Loading lines={6} height={22} />}
      {content.isError && (
        <Failed what="Couldn't read the file" error={content.error} retry={() => content.refetch()} />
      )}
      {content.data !== undefined && (
        <>
          <FilePreview shape={shapeOfName(path)} text={content.data} />
          <div className="row" style={{ justifyContent: "flex-end", marginTop: "1rem" }}>
            <CopyButton text={() => content.data} />
          </div>
        </>
      )}
    </Modal>
  );
}
