import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import type { Agent } from "@/api/types";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import { missingKey } from "./modelKeys";

type Models = Pick<Agent, "model" | "fallback_models">;

/** Keys come from the environment, so they stay as they are while the server runs. */
const FRESH_MS = 60_000;

export const useProviders = () => api.useQuery("get", "/api/models", {}, { staleTime: FRESH_MS });

/** Where workers do the work, one of them may have the key. */
const useMissingKey = (agent: Models) => {
  const { data } = useProviders();
  return data?.works_here ? missingKey(agent, data.items) : null;
};

/** Says before a start that the model has no key. Starting stays possible: the run waits, and goes on with the key. */
export function ModelWarning({ agent, inForm = false }: { agent: Models; inForm?: boolean }) {
  const missing = useMissingKey(agent);
  if (!missing) return null;
  return (
    <div className={page.banner} data-tone="warn" role="status" style={inForm ? { marginBottom: 0 } : undefined}>
      <Icon name="key-round" />
      <span style={{ flex: "1 1 14rem" }}>
        <code>{missing.variable}</code> isn’t set on this server, so <code>{agent.model}</code> can’t be reached.{" "}
        {missing.fallback ? (
          <>
            Runs use <code>{missing.fallback}</code> instead.
          </>
        ) : (
          "A run starts, then waits for the key."
        )}
      </span>
      <Link to="/settings" search={{ section: "models" }}>
        Connect a model
      </Link>
    </div>
  );
}

/** The same, where there is room for two words. */
export function ModelWarningTag({ agent }: { agent: Models }) {
  const missing = useMissingKey(agent);
  if (!missing || missing.fallback) return null;
  return (
    <Tag plain tone="warn" title={`${missing.variable} isn’t set on this server.`}>
      No key for its model
    </Tag>
  );
}
