import { Button } from "@mantine/core";
import type { Ask } from "@/api/types";
import { answerLabel } from "@/ui/domain/askOptions";

/** What people answered most often before, to be given again with one click where that makes sense. */
export function UsualAnswer({ ask, onUse }: { ask: Ask; onUse?: (value: unknown) => void }) {
  const { suggestion } = ask;
  if (!suggestion) return null;
  return (
    <p className="row wrap small">
      <span className="dim">
        Usual answer, {suggestion.times} of {suggestion.of} times:
      </span>
      <strong>{answerLabel(ask, suggestion.value)}</strong>
      {onUse && (
        <Button size="compact-xs" variant="default" onClick={() => onUse(suggestion.value)}>
          Use it
        </Button>
      )}
    </p>
  );
}
