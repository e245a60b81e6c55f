import { Button, Modal } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "@/api/problems";
import type { Deliverable } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Prose } from "@/ui/Prose";
import { Empty, Failed, Loading } from "@/ui/States";
import classes from "./deliverables.module.css";
import { contentUrl, downloadUrl, isMarkdown, isReadable } from "./files";

interface DeliverableViewProps {
  deliverable: Deliverable;
  onClose: () => void;
}

/** A deliverable to read. Everything is shown as text, whatever it contains. */
export default function DeliverableView({ deliverable, onClose }: DeliverableViewProps) {
  return (
    <Modal opened onClose={onClose} size="56rem" title={deliverable.name} closeButtonProps={{ "aria-label": "Close" }}>
      {isReadable(deliverable) ? (
        <Content deliverable={deliverable} />
      ) : (
        <Empty icon="file-text" title="No preview for this type">
          Download it to open it with another program.
        </Empty>
      )}
      <div className={classes.foot}>
        <Button
          component="a"
          href={downloadUrl(deliverable)}
          download
          variant="default"
          leftSection={<Icon name="download" />}
        >
          Download
        </Button>
      </div>
    </Modal>
  );
}

function Content({ deliverable }: { deliverable: Deliverable }) {
  const content = useQuery({
    queryKey: ["content", deliverable.id, deliverable.version],
    queryFn: async ({ signal }) => {
      const response = await fetch(contentUrl(deliverable), { signal });
      if (!response.ok) throw await problemOf(response);
      return response.text();
    },
  });
  if (content.isPending) return <Loading lines={6} height={22} />;
  if (content.isError)
    return <Failed what="It could not be loaded" error={content.error} retry={() => content.refetch()} />;
  if (isMarkdown(deliverable)) return <Prose text={content.data} />;
  return <pre className={classes.plain}>{content.data}</pre>;
}
