import { Checkbox, NativeSelect } from "@mantine/core";
import { api } from "@/api/client";
import { RiskTag } from "@/ui/domain/RiskTag";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { useShowMore } from "@/ui/text/ShowMore";
import type { PartProps } from "./AgentForm";
import type { Override } from "./agentDefinition";
import { controlToolNames, firstRows, rowsOf, withOverride, withTool } from "./toolRows";

const OVERRIDES = [
  { value: "", label: "Default risk" },
  { value: "safe", label: "Safe: never ask" },
  { value: "approval_required", label: "Always ask" },
  { value: "low", label: "Low risk" },
  { value: "medium", label: "Medium risk" },
  { value: "high", label: "High risk" },
  { value: "critical", label: "Critical risk" },
];

const FIRST = 80;

/** What it may use, how risky that is, and what this agent's risk is set to instead. */
export function ToolTable({ form, set }: PartProps) {
  const tools = api.useQuery("get", "/api/tools", {});
  const rows = rowsOf(tools.data?.items ?? [], form.tools);
  const { shown, more } = useShowMore(rows.length, FIRST, "tools");
  return (
    <section className={`card ${page.panel}`} aria-label="Tools">
      <h2>Tools</h2>
      <p className="small dim">
        It always has its built-in tools:{" "}
        {controlToolNames(tools.data?.items ?? []).join(", ") || "progress, deliverables, questions"}. Rules come before
        these settings.
      </p>
      {tools.isPending && <Loading lines={4} />}
      {tools.isError && <Failed what="Couldn't load the tools" error={tools.error} retry={() => tools.refetch()} />}
      {rows.length > 0 && (
        <div className={page.scroll} style={{ margin: "0 -1.1rem -1rem" }}>
          <table className={page.table}>
            <thead>
              <tr>
                <th>Tool</th>
                <th>Kind</th>
                <th>Risk</th>
                <th>For this agent</th>
              </tr>
            </thead>
            <tbody>
              {firstRows(rows, shown, form.tools).map(({ name, description, risk, operation, missing }) => (
                <tr key={name}>
                  <td>
                    <Checkbox
                      label={<code>{name}</code>}
                      description={missing ? `${description} ${missing}` : description}
                      checked={form.tools.includes(name)}
                      onChange={(event) => set({ tools: withTool(form.tools, name, event.currentTarget.checked) })}
                    />
                  </td>
                  <td className="dim" style={{ whiteSpace: "nowrap" }}>
                    {operation.replaceAll("_", " ")}
                  </td>
                  <td>
                    {risk ? (
                      <RiskTag level={risk} short />
                    ) : (
                      <span className="dim">{operation ? "" : "not installed"}</span>
                    )}
                  </td>
                  <td>
                    <NativeSelect
                      size="xs"
                      miw="10.5rem"
                      aria-label={`Risk of ${name} for this agent`}
                      value={form.overrides[name] ?? ""}
                      disabled={!form.tools.includes(name)}
                      onChange={(event) =>
                        set({
                          overrides: withOverride(form.overrides, name, event.currentTarget.value as Override | ""),
                        })
                      }
                      data={OVERRIDES}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {more && <div style={{ marginTop: "1.5rem" }}>{more}</div>}
    </section>
  );
}
