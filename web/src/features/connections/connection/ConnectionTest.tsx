import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { Icon } from "@/ui/icons";
import classes from "./connection.module.css";
import { useRereadConnections } from "./useConnections";

/** Reach it now; an MCP server says which tools it has. */
export function useConnectionTest() {
  const reread = useRereadConnections();
  return api.useMutation("post", "/api/connections/{connection_id}/test", { onSettled: () => reread() });
}

/** That it works, or the exact error. */
export function TestOutcome({ test }: { test: ReturnType<typeof useConnectionTest> }) {
  const error = test.isError ? wordsOf(test.error) : test.data?.error;
  return (
    <div className={classes.outcome} role="status">
      {error != null && (
        <p className={classes.bad}>
          <Icon name="circle-x" /> {error}
        </p>
      )}
      {test.data?.ok && (
        <p className={classes.good}>
          <Icon name="circle-check" /> It works.
        </p>
      )}
    </div>
  );
}
