import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMemberNames } from "@/api/memberNames";
import { keyOf } from "@/api/queryKeys";
import { needsWords, useMay } from "@/api/roles";
import type { components } from "@/api/schema";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { Ago, Countdown } from "@/ui/time/clock";

const LIST = { params: { query: { limit: 200 } } };

type Allowance = components["schemas"]["AllowanceOut"];

/** What people allowed while answering, until it ends or somebody takes it back. */
export default function Allowances() {
  const may = useMay("approver");
  const queries = useQueryClient();
  const named = useMemberNames();
  const list = api.useQuery("get", "/api/rules/allowances", LIST);
  const revoke = api.useMutation("delete", "/api/rules/allowances/{allowance_id}", {
    onSuccess: () => {
      said("Removed. The next call like this asks again.");
      return queries.invalidateQueries({ queryKey: keyOf("/api/rules/allowances") });
    },
    onError: failed,
  });
  const narrow = api.useMutation("post", "/api/rules/allowances/{allowance_id}/narrow", {
    onSuccess: ({ sentence }) => {
      said(`Narrowed for 7 days: ${sentence}`);
      return queries.invalidateQueries({ queryKey: keyOf("/api/rules/allowances") });
    },
    onError: failed,
  });
  if (list.isPending) return <Loading lines={4} />;
  if (!list.data) return <Failed what="Couldn't load the allowances" error={list.error} retry={() => list.refetch()} />;
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
              <th>What is allowed</th>
              <th>Until</th>
              <th>Used</th>
              <th>Allowed by</th>
              <td />
            </tr>
          </thead>
          <tbody>
            {list.data.items.map((item) => (
              <tr key={item.id}>
                <td>
                  {item.is_wide && <Tag tone="warn">Wide</Tag>} {item.sentence}{" "}
                  <span className="dim">Up to {item.risk_level} risk.</span>
                  {item.overruled_by && (
                    <div>
                      <Tag tone="warn">Not in effect</Tag> Rule “{item.overruled_by}” comes first.
                    </div>
                  )}
                </td>
                <td>
                  <End item={item} />
                </td>
                <td>
                  {item.used === 0 ? "Not yet" : item.used === 1 ? "Once" : `${item.used} times`}
                  {item.last_used_at && (
                    <>
                      , <Ago at={item.last_used_at} />
                    </>
                  )}
                </td>
                <td>
                  <Link to="/asks/$askId" params={{ askId: item.ask_id }}>
                    {named(item.created_by)}
                  </Link>
                  , <Ago at={item.created_at} />
                </td>
                <td className={page.end}>
                  {may && item.is_wide && (
                    <Button
                      size="compact-sm"
                      loading={narrow.isPending && narrow.variables?.params.path.allowance_id === item.id}
                      onClick={() => narrow.mutate({ params: { path: { allowance_id: item.id } } })}
                    >
                      Narrow
                    </Button>
                  )}{" "}
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

function End({ item }: { item: Allowance }) {
  const run = item.run_id && (
    <Link to="/runs/$runId" params={{ runId: item.run_id }}>
      its run ends
    </Link>
  );
  if (!item.expires_at) return run || "No end";
  return <Countdown at={item.expires_at} />;
}
