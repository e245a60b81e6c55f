import type { Part, Section } from "../ruleText/readRules";

export interface NewRule {
  label: string;
  section: Section;
  rule: Part;
}

/** How a rule begins: with a condition, so that none is about everything by mistake. */
export const NEW_RULES: NewRule[] = [
  {
    label: "Ask people",
    section: "checkpoints",
    rule: { name: "Ask first", trigger: { tool: "send_message" }, action: { require_approval_count: 1 } },
  },
  {
    label: "Never allow",
    section: "checkpoints",
    rule: { name: "Never", trigger: { tool: "send_message" }, action: { deny: true } },
  },
  {
    label: "Allow without asking",
    section: "auto_approval",
    rule: { name: "Allow", conditions: { risk_level: "low" }, action: { auto_approve: true } },
  },
];
