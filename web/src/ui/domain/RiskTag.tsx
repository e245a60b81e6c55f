import { Tag } from "../Tag";
import { riskWords } from "./risk";

export function RiskTag({ level, short = false }: { level: string; short?: boolean }) {
  const { label, tone } = riskWords(level);
  return (
    <Tag tone={tone} title={label}>
      {short ? label.replace(" risk", "") : label}
    </Tag>
  );
}
