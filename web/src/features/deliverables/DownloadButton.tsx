import { ActionIcon } from "@mantine/core";
import type { Deliverable } from "@/api/types";
import { Icon } from "@/ui/icons";
import { downloadUrl } from "./deliverableLinks";

/** What is kept here can be taken away; what lies elsewhere is only linked. */
export function DownloadButton({ item }: { item: Deliverable }) {
  if (item.storage === "external") return null;
  return (
    <ActionIcon
      component="a"
      href={downloadUrl(item)}
      download
      variant="subtle"
      color="gray"
      aria-label={`Download ${item.name}`}
    >
      <Icon name="download" />
    </ActionIcon>
  );
}
