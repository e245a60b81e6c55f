import type { Run } from "@/api/types";
import { Tag } from "../../Tag";
import { statusWords } from "./runStatus";

export function RunStatusTag({ run }: { run: Run }) {
  const { label, tone, live } = statusWords(run);
  return (
    <Tag tone={tone} live={live}>
      {label}
    </Tag>
  );
}
