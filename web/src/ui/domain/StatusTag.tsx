import type { Run } from "@/api/types";
import { statusWords } from "@/features/runs/words";
import { Tag } from "../Tag";

export function StatusTag({ run }: { run: Run }) {
  const { label, tone, live } = statusWords(run);
  return (
    <Tag tone={tone} live={live}>
      {label}
    </Tag>
  );
}
