import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { needsWords, useMay } from "@/api/roles";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Ago } from "@/ui/time/clock";

const LIST = { params: { query: { limit: 200 } } };

/** What people allowed while answering, until somebody takes it back. */
export default function Allowances() {
  const may = useMay("approver");
  const queries = useQueryClient();
  const list = api.useQuery("get", "/api/rules/allowances", LIST);
  const revoke = api.useMutation("delete", "/api/rules/allowances/{allowance_id}", {
    onSuccess: () => {
      said("Removed. The next call like this asks again.");
      return queries.invalidateQueries({ queryKey: keyOf("/api/rules/allowances") });
    },
    onError: failed,
  });
  if (list.isPending) return <Loading lines={4} />;
  if (!list.data)
    return <Failed what="Could not load the allowances" error={list.error} retry={() => list.refetch()} />;
  if (list.data.items.length === 0)
    return (
      <Empty icon="shield-check" title="No allowances">
        When someone approves a call with “Don’t ask again”, it shows up here.
      </Empty>
    );
  return (
    <>
      {!may && <p className={page.lead}>{needsWords("approver", "remove an allowance")}</p>}
      <div className={`card ${page.scroll}`}>
        <table className={page.table}>
          <thead>
            <tr>
              <th>Tool</th>
              <th>Agent</th>
              <th>Where</th>
              <th>Up to risk</th>
              <th>Allowed by</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {list.data.items.map((item) => (
              <tr key={item.id}>
                <td>
                  <code>{item.tool}</code>
                </td>
                <td>{item.agent}</td>
                <td>
                  {item.run_id ? (
                    <Link to="/runs/$runId" params={{ runId: item.run_id }}>
                      In one run
                    </Link>
                  ) : (
                    "All its runs"
                  )}
                </td>
                <td>{item.risk_level}</td>
                <td>
                  {item.created_by}, <Ago at={item.created_at} />
                </td>
                <td className={page.end}>
                  {may && (
                    <Button
                      size="compact-sm"
                      variant="default"
                      loading={revoke.isPending && revoke.variables?.params.path.allowance_id === item.id}
                      onClick={() => revoke.mutate({ params: { path: { allowance_id: item.id } } })}
                    >
                      Remove
                    </Button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
