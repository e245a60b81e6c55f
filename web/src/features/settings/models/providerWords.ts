import type { Provider } from "@/api/types";
import type { Tone } from "@/ui/Tag";

/** What the page says about a provider's state. */
export function stateWords({ name, state, found }: Provider): { label: string; tone: Tone } {
  if (name === "demo") return { label: "Built in", tone: "calm" };
  if (state === "ready") return { label: `Found ${found.join(" and ")}`, tone: "good" };
  if (state === "here") return { label: "Tried on this machine", tone: "calm" };
  return { label: "Not connected", tone: "warn" };
}

/** What to type to connect it, one way a line. */
export function setupLines(
  { keys, address, address_is_enough }: Provider,
  port = location.port,
): { label: string; text: string }[] {
  const key = keys[0];
  // As it was started: on its own port, or on the usual one.
  const start = port === "" || port === USUAL_PORT ? "make run" : `make run PORT=${port}`;
  return [
    ...(key ? [{ label: "With a key", text: `export ${key}=…\n${start}` }] : []),
    ...(address && address_is_enough
      ? [{ label: "With a server of your own", text: `export ${address}=${ADDRESSES[address] ?? "…"}\n${start}` }]
      : []),
  ];
}

const USUAL_PORT = "8400";

const ADDRESSES: Record<string, string> = {
  OPENAI_BASE_URL: "http://localhost:8000/v1",
  OLLAMA_BASE_URL: "http://localhost:11434/v1",
};

/** What is worth knowing about it. */
export const ABOUT: Record<string, string> = {
  ollama: "Models on your own machine: no key, and nothing leaves it. Without an address, Ollama’s usual one is tried.",
  demo: "A script, not an AI: it plays the agents that come with Signoff, so you can try everything without a key. Its texts and figures are made up.",
};

/** Where one provider is spoken to in two ways: how a model begins, and what that means. */
export const WAYS: Record<string, { prefix: string; means: string }[]> = {
  openai: [
    { prefix: "openai:", means: "the Responses API. For OpenAI itself." },
    {
      prefix: "openai-chat:",
      means: "Chat Completions. For compatible servers: vLLM, LM Studio, llama.cpp, OpenRouter and most others.",
    },
  ],
};

/** What can be used comes first, the demo last. */
export const ordered = (providers: Provider[]): Provider[] =>
  [...providers].sort((left, right) => rank(left) - rank(right));

const rank = ({ name, state }: Provider): number => (name === "demo" ? 3 : { ready: 0, here: 2, missing: 1 }[state]);
