import { Button, Modal, Radio, SegmentedControl } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { api } from "@/api/client";
import type { components } from "@/api/schema";
import type { Answer, Ask } from "@/api/types";
import { Failed, Loading } from "@/ui/States";
import classes from "../ask.module.css";

type Offers = components["schemas"]["RememberOut"];
type Choice = components["schemas"]["RememberChoice"];
export type Remembered = NonNullable<Answer["remember"]>;

interface RememberChoicesProps {
  ask: Ask;
  onApprove: (remember: Remembered) => void;
  onClose: () => void;
}

/** What else an approval should allow, for how long, and what that would have meant so far. */
export default function RememberChoices({ ask, onApprove, onClose }: RememberChoicesProps) {
  const path = { params: { path: { ask_id: ask.id } } };
  const offers = api.useQuery("get", "/api/asks/{ask_id}/remember", path, { staleTime: 0 });
  return (
    <Modal opened onClose={onClose} title="Don't ask again" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      {offers.data ? (
        <Choices ask={ask} offers={offers.data} onApprove={onApprove} onClose={onClose} />
      ) : offers.isPending ? (
        <Loading lines={4} />
      ) : (
        <Failed what="Couldn't load the choices" error={offers.error} retry={() => offers.refetch()} />
      )}
    </Modal>
  );
}

const RULE = "rule";

function Choices({ ask, offers, onApprove, onClose }: RememberChoicesProps & { offers: Offers }) {
  const ends = endsOf(offers);
  const [name, setName] = useState(offers.choices.find(({ is_default }) => is_default)?.name ?? RULE);
  const [end, setEnd] = useState(ends.find(({ suggested }) => suggested)?.value ?? ends[0]?.value ?? "");
  const chosen = ends.length > 0 ? offers.choices.find((each) => each.name === name) : undefined;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        event.stopPropagation();
        onApprove(chosen ? toRemember(chosen, end) : RULE);
      }}
    >
      {offers.why_not && <p className="small dim">Only a rule can allow this: {offers.why_not}.</p>}
      {offers.looked_at === 0 && <p className="small dim">This is the first call of this kind.</p>}
      <Radio.Group aria-label="What not to ask about again" value={chosen ? name : RULE} onChange={setName}>
        <div className="stack">
          {ends.length > 0 &&
            offers.choices.map((each) => (
              <Radio
                key={each.name}
                value={each.name}
                label={each.label}
                description={<Described choice={each} lookedAt={offers.looked_at} />}
              />
            ))}
          <Radio
            value={RULE}
            label="Suggest a rule"
            description="Approves this one. Later calls still ask until an admin accepts the rule."
          />
        </div>
      </Radio.Group>
      {chosen && (
        <div>
          <p className="small dim">For how long</p>
          <SegmentedControl
            aria-label="For how long"
            value={end}
            onChange={setEnd}
            data={ends.map(({ value, label }) => ({ value, label }))}
          />
          <p className="small dim">
            Only up to {ask.risk?.level ?? "this"} risk. Anything else still asks. You can remove this under Rules.
          </p>
        </div>
      )}
      <div className="row" style={{ justifyContent: "flex-end" }}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" data-autofocus>
          {chosen ? "Approve and don't ask again" : "Approve and suggest a rule"}
        </Button>
      </div>
    </form>
  );
}

function Described({ choice, lookedAt }: { choice: Choice; lookedAt: number }) {
  const objected = choice.refused + choice.edited;
  return (
    <>
      {choice.sentence}
      <br />
      {lookedAt > 0 && pastWords(choice)}
      {objected > 0 && (
        <span className={classes.objected}>
          {" "}
          It would also have let through {objected} that someone denied or changed:{" "}
          {choice.let_through.slice(0, 3).map((each, index) => (
            <span key={each.ask_id}>
              {index > 0 && ", "}
              <Link to="/asks/$askId" params={{ askId: each.ask_id }} target="_blank">
                {each.title}
              </Link>
            </span>
          ))}
          .
        </span>
      )}
    </>
  );
}

/** What a choice would have meant so far. */
export function pastWords({ approved }: Pick<Choice, "approved">): string {
  if (approved === 0) return "It would have saved no asks so far.";
  return `It would have saved ${approved} ${approved === 1 ? "ask" : "asks"} so far.`;
}

const RUN = "run";

/** How long it may last for this person: admins allow things for an agent, others for the run. */
export function endsOf({ scopes, hours, default_hours }: Pick<Offers, "scopes" | "hours" | "default_hours">) {
  const run = scopes.includes("run") ? [{ value: RUN, label: "This run", suggested: !scopes.includes("agent") }] : [];
  const days = scopes.includes("agent")
    ? hours.map((each) => ({
        value: String(each),
        label: each === 24 ? "1 day" : `${each / 24} days`,
        suggested: each === default_hours,
      }))
    : [];
  return [...run, ...days];
}

/** The choice as an answer says it. Several calls at once are each remembered for their own kind. */
export function toRemember({ name, where }: Pick<Choice, "name" | "where">, end: string): Remembered {
  const conditions = name === "each" ? {} : { where };
  return end === RUN
    ? { scope: "run", ...conditions }
    : { scope: "agent", ...conditions, expires_in_hours: Number(end) };
}
