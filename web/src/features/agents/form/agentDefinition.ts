import type { components } from "@/api/schema";
import type { Agent, Values } from "@/api/types";
import { waitingMinutes } from "@/ui/domain/questionTime";
import { parse, written } from "@/ui/editor/editedText";
import { isModel } from "./modelNames";

export type Definition = components["schemas"]["AgentDefinition"];
export type Notifications = NonNullable<Definition["notifications"]>;
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
  /** How long its questions wait: "" as in the workspace, "none", or minutes. */
  questionTime: string;
  status: NonNullable<Definition["status"]>;
  tools: string[];
  /** Names, or objects that say why. */
  connections: NonNullable<Definition["connections_required"]>;
  overrides: Record<string, Override>;
  hours: string;
  credits: string;
  iterations: string;
  waiting_counts: boolean;
  ask_at_limit: boolean;
  notifications: Notifications;
  fallbacks: string;
  temperature: string;
  max_tokens: string;
  tags: string;
  sort_order: string;
  output: string;
}

/** The fields that stand under "Advanced". */
export const ADVANCED = ["fallbacks", "temperature", "max_tokens", "tags", "sort_order", "output"] as const;

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
  questionTime: "",
  status: "active",
  tools: ["read_file", "list_files", "write_file"],
  connections: [],
  overrides: {},
  hours: "4",
  credits: "100",
  iterations: "500",
  waiting_counts: false,
  ask_at_limit: false,
  notifications: {},
  fallbacks: "",
  temperature: "",
  max_tokens: "4096",
  tags: "",
  sort_order: "0",
  output: "",
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
    questionTime: String(agent.question_timeout_minutes ?? ""),
    status: agent.status ?? BLANK.status,
    tools: agent.tools ?? [],
    connections: agent.connections_required ?? [],
    overrides: agent.risk_overrides ?? {},
    hours: String(limits?.max_duration_hours ?? 4),
    credits: String(limits?.max_cost_credits ?? 100),
    iterations: String(limits?.max_iterations ?? 500),
    waiting_counts: limits?.waiting_counts ?? false,
    ask_at_limit: limits?.ask_at_limit ?? false,
    notifications: agent.notifications ?? {},
    fallbacks: (agent.fallback_models ?? []).join("\n"),
    temperature: String(agent.temperature ?? ""),
    max_tokens: String(agent.max_tokens ?? BLANK.max_tokens),
    tags: (agent.tags ?? []).join(", "),
    sort_order: String(agent.sort_order ?? 0),
    output: agent.output_schema ? written(agent.output_schema) : "",
  };
}

const parts = (text: string, between: string): string[] =>
  text
    .split(between)
    .map((part) => part.trim())
    .filter(Boolean);

/** The schema that was written: none for an empty text, and nothing at all for one that cannot be read. */
function schemaIn(text: string): Values | null | undefined {
  if (text.trim() === "") return null;
  const read = parse(text);
  return read.ok ? read.value : undefined;
}

/** What is left as people and channels have it is not said. Fields that the form does not know stay. */
function saidOf({ slack_channel_id, ...told }: Notifications): Notifications {
  const all = { ...told, slack_channel_id: slack_channel_id?.trim() };
  const isSaid = (value: unknown) => !(value == null || value === "" || (Array.isArray(value) && value.length === 0));
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isSaid(value)));
}

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
    connections_required: form.connections,
    example_tasks: parts(form.examples, "\n"),
    fallback_models: parts(form.fallbacks, "\n"),
    temperature: form.temperature.trim() ? Number(form.temperature) : null,
    max_tokens: Number(form.max_tokens),
    tags: parts(form.tags, ","),
    sort_order: Number(form.sort_order || 0),
    output_schema: schemaIn(form.output) ?? null,
    clarification_max_exchanges: Number(form.exchanges),
    question_timeout_minutes: waitingMinutes(form.questionTime),
    risk_overrides: form.overrides,
    notifications: saidOf(form.notifications),
    limits: {
      max_duration_hours: Number(form.hours || 4),
      // An empty field is the usual limit; only a 0 that somebody wrote means none.
      max_cost_credits: Number(form.credits || 100),
      max_iterations: Number(form.iterations || 1),
      waiting_counts: form.waiting_counts,
      ask_at_limit: form.ask_at_limit,
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
    ...(isNew && !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(form.slug) && { slug: "Lowercase letters, digits and hyphens." }),
    ...(!isModel(form.model) && { model: "Write it as provider:model, such as anthropic:claude-sonnet-5." }),
    ...(!parts(form.fallbacks, "\n").every(isModel) && { fallbacks: "Write each as provider:model, on its own line." }),
    ...(!within(form.temperature || "0", 0, 2) && { temperature: "Temperature must be from 0 to 2." }),
    ...(!isWhole(form.max_tokens, 1, 1_000_000) && {
      max_tokens: "Max tokens must be a whole number from 1 to 1,000,000.",
    }),
    ...(!isWhole(form.sort_order || "0", -1_000_000, 1_000_000) && {
      sort_order: "Position must be a whole number from -1,000,000 to 1,000,000.",
    }),
    ...(schemaIn(form.output) === undefined && { output: "The output schema must be a JSON object." }),
  };
}

const within = (text: string, least: number, most: number): boolean =>
  text.trim() !== "" && Number(text) >= least && Number(text) <= most;

const isWhole = (text: string, least: number, most: number): boolean =>
  within(text, least, most) && !text.includes(".");
