import type { components } from "@/api/schema";
import type { Agent } from "@/api/types";

export type Definition = components["schemas"]["AgentDefinition"];
export type Override = NonNullable<Definition["risk_overrides"]>[string];

/** What the form edits. Everything else of an agent stays as it is. */
export interface Form {
  slug: string;
  name: string;
  title: string;
  description: string;
  category: string;
  model: string;
  instructions: string;
  examples: string;
  autonomy: NonNullable<Definition["autonomy"]>;
  mode: NonNullable<Definition["mode"]>;
  clarify: boolean;
  exchanges: string;
  status: NonNullable<Definition["status"]>;
  tools: string[];
  overrides: Record<string, Override>;
  hours: string;
  credits: string;
  iterations: string;
  waiting_counts: boolean;
}

export const BLANK: Form = {
  slug: "",
  name: "",
  title: "",
  description: "",
  category: "",
  model: "",
  instructions: "",
  examples: "",
  autonomy: "approve_high_risk",
  mode: "auto",
  clarify: false,
  exchanges: "3",
  status: "active",
  tools: ["read_file", "list_files", "write_file"],
  overrides: {},
  hours: "4",
  credits: "100",
  iterations: "500",
  waiting_counts: false,
};

export function formOf(agent: Agent): Form {
  const { limits } = agent;
  return {
    slug: agent.slug,
    name: agent.name,
    title: agent.title ?? "",
    description: agent.description ?? "",
    category: agent.category ?? "",
    model: agent.model,
    instructions: agent.instructions ?? "",
    examples: (agent.example_tasks ?? []).join("\n"),
    autonomy: agent.autonomy ?? BLANK.autonomy,
    mode: agent.mode ?? BLANK.mode,
    clarify: agent.clarify ?? false,
    exchanges: String(agent.clarification_max_exchanges ?? 3),
    status: agent.status ?? BLANK.status,
    tools: agent.tools ?? [],
    overrides: agent.risk_overrides ?? {},
    hours: String(limits?.max_duration_hours ?? 4),
    credits: String(limits?.max_cost_credits ?? 100),
    iterations: String(limits?.max_iterations ?? 500),
    waiting_counts: limits?.waiting_counts ?? false,
  };
}

const lines = (text: string): string[] =>
  text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);

/** The fields as the API takes them. */
export function definitionOf(form: Form): Definition {
  const { name, title, description, category, model, instructions, autonomy, mode, clarify, status, tools } = form;
  return {
    name: name.trim(),
    title: title.trim(),
    description,
    category: category.trim(),
    model: model.trim(),
    instructions,
    autonomy,
    mode,
    clarify,
    status,
    tools,
    example_tasks: lines(form.examples),
    clarification_max_exchanges: Number(form.exchanges),
    risk_overrides: form.overrides,
    limits: {
      max_duration_hours: Number(form.hours || 0),
      max_cost_credits: Number(form.credits || 0),
      max_iterations: Number(form.iterations || 1),
      waiting_counts: form.waiting_counts,
    },
  };
}

/** Only what differs: what nobody touched keeps the value that it has by then. */
export function changesOf(before: Form, after: Form): Partial<Definition> {
  const [old, next] = [definitionOf(before), definitionOf(after)];
  const changed = Object.entries(next).filter(
    ([name, value]) => JSON.stringify(old[name as keyof Definition]) !== JSON.stringify(value),
  );
  return Object.fromEntries(changed);
}

/** A slug from a name: `Competitive analysis` → `competitive-analysis`. */
export function slugFrom(name: string): string {
  return name
    .normalize("NFKD")
    .replaceAll(/[\u0300-\u036f]/g, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60);
}

/** What must be mended before it can be saved, by field. */
export function problemsOf(form: Form, isNew: boolean): Partial<Record<keyof Form, string>> {
  return {
    ...(!form.name.trim() && { name: "Give it a name." }),
    ...(isNew && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(form.slug) && { slug: "Small letters, figures and hyphens." }),
    ...(!/^[a-z][a-z0-9_-]*:.+$/.test(form.model.trim()) && {
      model: "Write it as provider:model, such as anthropic:claude-sonnet-4-5.",
    }),
  };
}
