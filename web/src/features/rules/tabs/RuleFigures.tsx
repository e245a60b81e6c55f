import { NativeSelect } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { PERIODS, periodSince } from "@/ui/list/periods";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import classes from "../rules.module.css";

const DAYS = PERIODS.filter(({ value }) => ["7", "30", "90"].includes(value));

const percent = (share: number | null, nothing: string): string =>
  share === null ? nothing : `${Math.round(share * 100)} %`;

const COLUMNS = [
  "Approved by rule",
  "Asked",
  "Approved by people",
  "Edited",
  "Denied by people",
  "Expired",
  "Denied by rule",
  "Accuracy",
];

/** What the rules have done: how much they approved, and how often people disagreed. */
export default function RuleFigures() {
  const [days, setDays] = useState("30");
  const stats = api.useQuery("get", "/api/rules/stats", { params: { query: { since: periodSince(days) } } });
  if (stats.isPending) return <Loading lines={3} height={80} />;
  if (!stats.data) return <Failed what="Couldn't load the figures" error={stats.error} retry={() => stats.refetch()} />;
  const { decisions, auto_approved, asked, overrides, accuracy, auto_approval_rate, by_rule } = stats.data;
  const tiles: [string, string, string][] = [
    ["Decisions", String(decisions), `${asked} asked, ${auto_approved} approved by a rule`],
    ["Approved automatically", percent(auto_approval_rate, "Nothing asked yet"), "of calls that would have asked"],
    ["People disagreed", String(overrides), "asks that people edited or denied"],
    ["Accuracy", percent(accuracy, "Nothing allowed yet"), "of calls allowed by rules did not fail"],
  ];
  return (
    <>
      <div className={page.filters}>
        <NativeSelect aria-label="Time" value={days} onChange={(e) => setDays(e.currentTarget.value)} data={DAYS} />
      </div>
      <div className={classes.tiles}>
        {tiles.map(([label, value, meaning]) => (
          <div key={label} className={`card ${classes.tile}`}>
            <span className="label">{label}</span>
            <strong data-words={/^\D/.test(value) || undefined}>{value}</strong>
            <span className="tiny dim">{meaning}</span>
          </div>
        ))}
      </div>
      {by_rule.length === 0 ? (
        <Empty icon="activity" title="No rule has decided anything yet">
          Counts appear here once a rule allows, asks or denies.
        </Empty>
      ) : (
        <div className={`card ${page.scroll}`}>
          <table className={page.table}>
            <thead>
              <tr>
                <th>Rule</th>
                {COLUMNS.map((name) => (
                  <th key={name} className={page.end}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody className="num">
              {by_rule.map((row) => (
                <tr key={row.rule ?? ""}>
                  <td className={classes.name}>{row.rule}</td>
                  {[row.auto_approved, row.asked, row.approved, row.edited, row.denied, row.expired, row.refused].map(
                    (value, index) => (
                      // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
                      <td key={index} className={page.end}>
                        {value || <span className="dim">0</span>}
                      </td>
                    ),
                  )}
                  <td className={page.end}>{percent(row.accuracy, "None yet")}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </>
  );
}
