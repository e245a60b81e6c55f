import { UnstyledButton } from "@mantine/core";
import { useMemo } from "react";
import { verdictWords } from "@/ui/domain/verdict";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import classes from "../rules.module.css";
import { rulesInWords } from "./ruleSentences";

interface RulesInWordsProps {
  /** What is being written, and what is in force: that counts while the other cannot be read. */
  draft: string;
  inForce: string;
  onGo: (place: { line: number; column: number }) => void;
}

/** The rules for whoever reads no YAML. A click goes to the text. */
export default function RulesInWords({ draft, inForce, onGo }: RulesInWordsProps) {
  const rules = useMemo(() => rulesInWords(draft) ?? rulesInWords(inForce) ?? [], [draft, inForce]);
  if (rules.length === 0) return null;
  return (
    <section className={`card ${page.list} ${classes.words}`} aria-label="Rules in words">
      {rules.map(({ name, verdict, sentence, off, line }) => (
        <UnstyledButton key={line} className={classes.rule} onClick={() => onGo({ line, column: 1 })}>
          <span className="row wrap">
            <strong>{name}</strong>
            <Tag tone={off ? "calm" : verdictWords(verdict).tone}>{off ? "Off" : verdictWords(verdict).label}</Tag>
          </span>
          <span className="small">{sentence}</span>
        </UnstyledButton>
      ))}
    </section>
  );
}
