import { Button } from "@mantine/core";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import type { Ask } from "@/api/types";
import { outcomeWords } from "@/ui/domain/askOutcomes";
import classes from "../ask.module.css";
import { DecisionBar } from "./DecisionBar";
import { isOpen } from "./decideProps";
import { refusalFor } from "./mayDecide";
import { quickChoices } from "./quickChoices";
import { useAnswer } from "./useAnswer";

interface QuickAnswerProps {
  askId: string;
  onAnswered: () => void;
}

/** A simple question with its buttons, wherever it is shown; of what is settled only how. */
export function QuickAnswer({ askId, onAnswered }: QuickAnswerProps) {
  const { data: ask } = api.useQuery("get", "/api/asks/{ask_id}", { params: { path: { ask_id: askId } } });
  if (!ask) return null;
  if (!isOpen(ask)) return <p className="small dim">{outcomeWords(ask)?.label}</p>;
  return <OpenQuestion ask={ask} onAnswered={onAnswered} />;
}

function OpenQuestion({ ask, onAnswered }: { ask: Ask; onAnswered: () => void }) {
  const answering = useAnswer(ask, onAnswered);
  const choices = quickChoices(ask);
  const refused = refusalFor(useMe(), ask) !== null;
  if (!answering.outgoing && (refused || choices.length === 0)) return null;
  return (
    <DecisionBar ask={ask} answering={answering} sticky={false}>
      <fieldset className={`${classes.buttons} ${classes.quick}`} aria-label={`Answer: ${ask.title}`}>
        {choices.map(({ label, value }, index) => (
          <Button
            key={label}
            size="compact-md"
            variant={ask.response_type === "boolean" && index === 0 ? "filled" : "default"}
            onClick={() => answering.send({ decision: "respond", value })}
          >
            {label}
          </Button>
        ))}
      </fieldset>
    </DecisionBar>
  );
}
