import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { failed, said } from "@/ui/overlay/toast";
import { useOverlay } from "@/ui/overlay/useOverlay";
import page from "@/ui/page.module.css";

const ConfirmDialog = lazy(() => import("@/ui/overlay/ConfirmDialog").then((it) => ({ default: it.ConfirmDialog })));
const SHOWN = 20;
const TOGETHER = 200;

/** Asks that wait although the rules of now would let them through: an admin may apply them. */
export function AsksThatWouldPass() {
  const admin = useMay("admin");
  const list = api.useQuery("get", "/api/rules/open-asks", {}, { enabled: admin });
  const queries = useQueryClient();
  const { over, open, close } = useOverlay<"applying">();
  const apply = api.useMutation("post", "/api/rules/open-asks/apply", {
    onSuccess: ({ results }) => {
      close();
      said(resultWords(results));
      return queries.invalidateQueries({ queryKey: keyOf("/api/rules/open-asks") });
    },
    onError: failed,
  });
  const items = list.data?.items ?? [];
  if (!admin || items.length === 0) return null;
  const now = items.slice(0, TOGETHER);
  const digests = Object.fromEntries(now.map(({ id, digest }) => [id, digest ?? ""]));
  return (
    <div className={page.banner} role="status">
      <Icon name="shield-check" size={18} />
      <span className="grow">
        {items.length === 1 ? "1 open ask would now pass." : `${items.length} open asks would now pass.`}
      </span>
      <Button size="compact-sm" onClick={() => open("applying")}>
        Review and apply
      </Button>
      {over && (
        <Suspense>
          <ConfirmDialog
            title={now.length === 1 ? "Let 1 ask through?" : `Let ${now.length} asks through?`}
            action="Apply"
            pending={apply.isPending}
            onConfirm={() => apply.mutate({ body: { ids: now.map(({ id }) => id), digests } })}
            onClose={close}
          >
            <p>The current rules would not ask about these. Each is checked once more before it runs.</p>
            <ul className="small">
              {now.slice(0, SHOWN).map(({ id, title, agent, why }) => (
                <li key={id}>
                  <Link to="/asks/$askId" params={{ askId: id }} target="_blank">
                    {title}
                  </Link>{" "}
                  <span className="small dim">
                    {agent} · {why}
                  </span>
                </li>
              ))}
              {now.length > SHOWN && <li className="dim">and {now.length - SHOWN} more</li>}
            </ul>
          </ConfirmDialog>
        </Suspense>
      )}
    </div>
  );
}

/** How it went, in one sentence. */
export function resultWords(results: { error?: string | null }[]): string {
  const left = results.filter(({ error }) => error);
  const done = results.length - left.length;
  const passed = `${done} ${done === 1 ? "ask" : "asks"} passed.`;
  return left.length === 0 ? passed : `${passed} ${left.length} left open: ${left[0]?.error}`;
}
