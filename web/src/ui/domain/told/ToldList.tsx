import { useMemberNames } from "@/api/memberNames";
import { Ago, useServerNow } from "../../time/clock";
import classes from "./told.module.css";
import { type Delivery, waitingWords, whomWords, whyWords } from "./toldWords";

interface ToldListProps {
  told: Delivery[];
  /** Several things are told of: the first about each says what. */
  titled?: boolean;
}

/** Each with how it stands, and why. */
export function ToldList({ told, titled = false }: ToldListProps) {
  return (
    <ul className={classes.list}>
      {told.map((delivery, at) => (
        <li key={delivery.id}>
          {titled && delivery.title !== told[at - 1]?.title && <h3 className="label cut">{delivery.title}</h3>}
          <Told delivery={delivery} />
          {delivery.error && <div className={classes.error}>{delivery.error}</div>}
        </li>
      ))}
    </ul>
  );
}

/** `Ana by mail 2m ago (usually decides this soonest)`. */
export function Told({ delivery }: { delivery: Delivery }) {
  const named = useMemberNames();
  const now = useServerNow();
  const { status, sent_at } = delivery;
  const why = whyWords(delivery);
  return (
    <span>
      {whomWords(delivery, named)}{" "}
      <span className={status === "failed" ? classes.failed : "dim"}>
        {status === "sent" && sent_at ? <Ago at={sent_at} /> : waitingWords(delivery, now)}
        {why && ` (${why})`}
      </span>
    </span>
  );
}
