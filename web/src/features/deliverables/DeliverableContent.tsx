import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { problemOf } from "@/api/problems";
import type { Deliverable } from "@/api/types";
import { Icon } from "@/ui/icons";
import { FilePreview } from "@/ui/preview/FilePreview";
import { shapeOf } from "@/ui/preview/fileShape";
import { Empty, Failed, Loading } from "@/ui/States";
import { contentUrl } from "./deliverableLinks";
import classes from "./deliverables.module.css";

/** What is inside, as far as a page can show it. */
export function DeliverableContent({ deliverable }: { deliverable: Deliverable }) {
  const shape = shapeOf(deliverable);
  switch (shape) {
    case "image":
      return (
        <img
          className={classes.image}
          src={contentUrl(deliverable)}
          alt={deliverable.description || deliverable.name}
        />
      );
    case "html":
      // Without scripts, without a place of its own, and its answer forbids every request.
      return <iframe className={classes.frame} sandbox="" src={contentUrl(deliverable)} title={deliverable.name} />;
    case "pdf":
      return <Pdf deliverable={deliverable} />;
    case "external":
      return <External deliverable={deliverable} />;
    case "none":
      return (
        <Empty icon="file-text" title="No preview for this type">
          Download it to open it with another program.
        </Empty>
      );
    default:
      return <Text deliverable={deliverable} />;
  }
}

export async function fetchText(deliverable: Deliverable, signal?: AbortSignal): Promise<string> {
  const response = await fetch(contentUrl(deliverable), { signal });
  if (!response.ok) throw await problemOf(response);
  return response.text();
}

function Text({ deliverable }: { deliverable: Deliverable }) {
  const content = useQuery({
    queryKey: ["content", deliverable.id, deliverable.version],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: ({ signal }) => fetchText(deliverable, signal),
  });
  if (content.isPending) return <Loading lines={6} height={22} />;
  if (content.isError) return <Failed what="Couldn't load it" error={content.error} retry={() => content.refetch()} />;
  return <FilePreview shape={shapeOf(deliverable)} text={content.data} />;
}

/** Browsers show a PDF with a program of their own, which a sandboxed answer forbids. */
function Pdf({ deliverable }: { deliverable: Deliverable }) {
  const shown = useQuery({
    queryKey: ["pdf", deliverable.id],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const stop = new AbortController();
      const { headers } = await fetch(contentUrl(deliverable), { signal: stop.signal });
      stop.abort();
      return navigator.pdfViewerEnabled && !/(^|;)\s*sandbox/.test(headers.get("content-security-policy") ?? "");
    },
  });
  if (shown.isPending) return <Loading lines={1} height={320} />;
  if (shown.data) return <iframe className={classes.frame} src={contentUrl(deliverable)} title={deliverable.name} />;
  return (
    <Empty icon="file-text" title="This browser can't show PDFs here">
      Download it to read it.
    </Empty>
  );
}

/** Where a link leads, whatever stands behind it. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return "an address that cannot be read";
  }
}

function External({ deliverable }: { deliverable: Deliverable }) {
  return (
    <Empty
      icon="external-link"
      title="Stored elsewhere"
      action={
        deliverable.external_url && (
          <Button component="a" href={contentUrl(deliverable)} target="_blank" rel="noopener noreferrer nofollow">
            Open it <Icon name="external-link" size={14} style={{ marginLeft: 6 }} />
          </Button>
        )
      }
    >
      {deliverable.external_url && (
        <>
          On <strong>{hostOf(deliverable.external_url)}</strong>: {deliverable.external_url}
        </>
      )}
    </Empty>
  );
}
