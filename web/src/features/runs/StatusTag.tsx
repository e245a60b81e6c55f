import type { Run } from "@/api/types";
import { Tag } from "@/ui/Tag";
import { statusWords } from "./words";

export function StatusTag({ run }: { run: Run }) {
  const { label, tone, live } = statusWords(run);
  return (
    <Tag tone={tone} live={live}>
      {label}
    </Tag>
  );
}
