import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import classes from "./rules.module.css";

const PERIODS = ["7", "30", "90"].map((days) => ({ value: days, label: `Last ${days} days` }));
const HOUR_MS = 3_600_000;

const percent = (share: number | null): string => (share === null ? "–" : `${Math.round(share * 100)} %`);

/** What the rules have done: how much they approved, and how often people disagreed. */
export default function Figures() {
  const [days, setDays] = useState("30");
  // To the hour, so that the question stays the same while somebody reads.
  const hour = Math.floor(Date.now() / HOUR_MS) * HOUR_MS;
  const since = new Date(hour - Number(days) * 24 * HOUR_MS).toISOString();
  const stats = api.useQuery("get", "/api/rules/stats", { params: { query: { since } } });
  if (stats.isPending) return <Loading lines={3} height={80} />;
  if (!stats.data)
    return <Failed what="The figures could not be loaded" error={stats.error} retry={() => stats.refetch()} />;
  const { decisions, auto_approved, asked, overrides, accuracy, auto_approval_rate, by_rule } = stats.data;
  const tiles: [string, string, string][] = [
    ["Decisions", String(decisions), `${asked} asked, ${auto_approved} approved by a rule`],
    ["Approved automatically", percent(auto_approval_rate), "of what would have asked"],
    ["Overrides", String(overrides), "asks that people changed or refused"],
    ["Accuracy", percent(accuracy), "of what rules let through did not fail"],
  ];
  return (
    <>
      <div className={page.filters}>
        <NativeSelect aria-label="Time" value={days} onChange={(e) => setDays(e.currentTarget.value)} data={PERIODS} />
      </div>
      <div className={classes.tiles}>
        {tiles.map(([label, value, means]) => (
          <div key={label} className={`card ${classes.tile}`}>
            <span className="label">{label}</span>
            <strong>{value}</strong>
            <span className="tiny dim">{means}</span>
          </div>
        ))}
      </div>
      {by_rule.length === 0 ? (
        <Empty icon="activity" title="No rule has decided anything yet">
          As soon as a rule lets a call pass, asks or refuses, it is counted here.
        </Empty>
      ) : (
        <div className={`card ${page.scroll}`}>
          <table className={page.table}>
            <thead>
              <tr>
                <th>Rule</th>
                {["Approved by rule", "Asked", "Approved", "Edited", "Denied", "Expired", "Refused", "Accuracy"].map(
                  (name) => (
                    <th key={name} className={page.end}>
                      {name}
                    </th>
                  ),
                )}
              </tr>
            </thead>
            <tbody className="num">
              {by_rule.map((row) => (
                <tr key={row.rule ?? ""}>
                  <td>{row.rule}</td>
                  {[row.auto_approved, row.asked, row.approved, row.edited, row.denied, row.expired, row.refused].map(
                    (value, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                      <td key={index} className={page.end}>
                        {value || <span className="dim">0</span>}
                      </td>
                    ),
                  )}
                  <td className={page.end}>{percent(row.accuracy)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
