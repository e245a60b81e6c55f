import { Button, UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useMemberNames } from "@/api/memberNames";
import type { Delivery } from "@/api/types";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import { useServerNow } from "@/ui/time/clock";
import { KINDS } from "../channel/channelKinds";
import { DeliveryDetails } from "./DeliveryDetails";
import classes from "./deliveries.module.css";
import { kindWords, statusWords } from "./deliveryWords";
import { useSendAgain } from "./useSendAgain";

/** One message: what, to whom, by which channel, how it stands and why; opened, every try. */
export function DeliveryRow({ delivery }: { delivery: Delivery }) {
  const [open, setOpen] = useState(false);
  const named = useMemberNames();
  const again = useSendAgain();
  const { id, kind, title, target, channel, channel_kind, why, urgent, error, status, tries } = delivery;
  const { words, tone, live } = statusWords(delivery, useServerNow());
  // Of an event, its name is all that there is to say.
  const parts = [
    title !== kind && kindWords(kind),
    target && target !== channel ? `to ${named(target)} by ${channel}` : `by ${channel}`,
    urgent && "urgent",
    tries > 1 && `${tries} tries`,
    delivery.together_with && "in one message with others",
    why,
  ];
  return (
    <li>
      <div className={classes.line}>
        <Icon name={KINDS[channel_kind].icon} className={classes.icon} />
        <UnstyledButton className={classes.title} aria-expanded={open} onClick={() => setOpen(!open)}>
          {title === kind ? kindWords(kind) : title}
        </UnstyledButton>
        <span className={classes.status}>
          <Tag tone={tone} live={live}>
            <span className="num">{words}</span>
          </Tag>
        </span>
        <Icon name="chevron-right" size={14} className={classes.chevron} />
        <p className={classes.how}>{parts.filter(Boolean).join(" · ")}</p>
        {error && status !== "sent" && <p className={classes.error}>{error}</p>}
        {delivery.may_retry && status === "failed" && (
          <Button
            className={classes.again}
            size="compact-sm"
            variant="default"
            loading={again.isPending}
            onClick={() => again.mutate({ params: { path: { delivery_id: id } } })}
          >
            Send again
          </Button>
        )}
      </div>
      {open && <DeliveryDetails delivery={delivery} />}
    </li>
  );
}
