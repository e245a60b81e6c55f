import { ActionIcon, UnstyledButton } from "@mantine/core";
import type { Deliverable } from "@/api/types";
import { iconOf } from "@/ui/domain/deliverableIcon";
import { Icon } from "@/ui/icons";
import { failed, said } from "@/ui/overlay/toast";
import { size } from "@/ui/preview/fileSize";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import { DownloadButton } from "./DownloadButton";
import { nameOf } from "./deliverableFilters";
import { linkTo } from "./deliverableLinks";
import classes from "./deliverables.module.css";

/** A deliverable in the list: what it is, and what can be done without opening it. */
export function DeliverableRow({ item, onOpen }: { item: Deliverable; onOpen: () => void }) {
  return (
    <div className={classes.row}>
      <UnstyledButton className={classes.rowOpen} onClick={onOpen}>
        <Icon name={iconOf(item)} size={18} />
        <span className="grow">
          <span className={`cut ${classes.name}`}>{item.name}</span>
          <span className={`cut small dim ${classes.wide}`}>{item.description || nameOf(item.type)}</span>
        </span>
      </UnstyledButton>
      <span className={classes.side}>
        {item.status !== "final" && <Tag plain>{nameOf(item.status)}</Tag>}
        {item.version > 1 && <span>v{item.version}</span>}
        <span className={`num ${classes.wide}`}>{size(item.size_bytes)}</span>
      </span>
      <span className={classes.when}>
        <Ago at={item.created_at} />
      </span>
      <span className={classes.tools}>
        <ActionIcon
          className={classes.wide}
          variant="subtle"
          color="gray"
          aria-label={`Copy link to ${item.name}`}
          onClick={() => copyLink(item)}
        >
          <Icon name="copy" />
        </ActionIcon>
        <DownloadButton item={item} />
      </span>
    </div>
  );
}

async function copyLink(item: Deliverable): Promise<void> {
  try {
    await navigator.clipboard.writeText(linkTo(item));
    said("Link copied.");
  } catch {
    failed(new Error("The browser doesn't allow copying here."));
  }
}
