import { Link } from "@tanstack/react-router";
import { useConnectionNames } from "@/ui/domain/names";
import { NamesField } from "@/ui/NamesField";
import page from "@/ui/page.module.css";
import type { PartProps } from "./AgentForm";
import { describedNeeds, neededNames, withNeeded } from "./connectionNeeds";

/** The outside systems that its runs are given from the start. */
export function NeededConnections({ form, set }: PartProps) {
  const offered = useConnectionNames();
  const named = neededNames(form.connections);
  const described = describedNeeds(form.connections);
  const missing = offered ? named.filter((name) => !offered.includes(name)) : [];
  return (
    <section className={`card ${page.panel}`} aria-label="Connections">
      <h2>Connections</h2>
      <NamesField
        label="What it needs"
        description={
          <>
            Its runs are given these. Whoever starts one is told what is missing.{" "}
            <Link to="/connections" style={{ textDecoration: "underline" }}>
              All connections
            </Link>
          </>
        }
        inputWrapperOrder={["label", "input", "description", "error"]}
        placeholder="None"
        maxTags={50}
        value={named}
        offered={offered ?? []}
        error={missing.length > 0 && `Not set up yet: ${missing.join(", ")}.`}
        onChange={(names) => set({ connections: withNeeded(form.connections, names) })}
      />
      {described.length > 0 && (
        <ul className="small">
          {described.map(({ name, reason, optional }) => (
            <li key={name}>
              <strong>{name}</strong>
              {optional && " (optional)"}
              {reason && `: ${reason}`}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
