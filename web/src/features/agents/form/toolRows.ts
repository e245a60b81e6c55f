import type { components } from "@/api/schema";
import type { Override } from "./agentDefinition";

type Tool = components["schemas"]["ToolOut"];

/** Every agent has these, whatever its list of tools says. */
const isControlTool = ({ operation_type }: Tool): boolean => operation_type === "own_means";

export const controlToolNames = (tools: Tool[]): string[] => tools.filter(isControlTool).map(({ name }) => name);

export interface ToolRow {
  name: string;
  description: string;
  /** Nothing where the tool is not installed. */
  risk: string | null;
  operation: string;
  /** What has to be set up before it works, and how. */
  missing: string | null;
}

/** What can be given, and what was given but is not there any more. */
export function rowsOf(tools: Tool[], given: string[]): ToolRow[] {
  const known = tools
    .filter((tool) => !isControlTool(tool))
    .map(({ name, description, risk, operation_type, missing }) => ({
      name,
      description: description.split(/(?<=\.)\s/, 1)[0] ?? "",
      risk,
      operation: operation_type,
      missing,
    }));
  const others = given.filter((name) => !tools.some((tool) => tool.name === name));
  return [...known, ...others.map(unknown)];
}

/** How an agent names all tools of a connection at once. */
const ALL_OF = /^(.+)__\*$/;

function unknown(name: string): ToolRow {
  const connection = ALL_OF.exec(name)?.[1];
  const description = connection ? `All tools of the connection ${connection}.` : "";
  return { name, description, risk: null, operation: connection ? "any" : "", missing: null };
}

/** The first of a long list, and whatever was given: a connection may have a thousand. */
export const firstRows = (rows: ToolRow[], first: number, given: string[]): ToolRow[] =>
  rows.filter(({ name }, place) => place < first || given.includes(name));

export const withTool = (tools: string[], name: string, on: boolean): string[] =>
  on ? [...tools.filter((each) => each !== name), name] : tools.filter((each) => each !== name);

export function withOverride(overrides: Record<string, Override>, name: string, to: Override | "") {
  const { [name]: _, ...others } = overrides;
  return to ? { ...others, [name]: to } : others;
}
