import { UnstyledButton } from "@mantine/core";
import { api } from "@/api/client";
import { Icon } from "@/ui/icons";
import { Tag } from "@/ui/Tag";
import classes from "./audit.module.css";

/** Whether the chain of entries is whole. A click checks again. */
export function AuditProof() {
  const proof = api.useQuery("get", "/api/audit/verify", {}, { staleTime: 0, refetchOnMount: "always" });
  return (
    <UnstyledButton
      className={classes.proof}
      onClick={() => proof.refetch()}
      title="Each entry contains a hash of the one before and is sealed by a key outside the database, so any change shows. Click to check again."
    >
      {proof.isFetching ? (
        <Tag>Checking</Tag>
      ) : proof.isError ? (
        <Tag tone="warn">Couldn't check. Click to try again.</Tag>
      ) : proof.data?.ok ? (
        <Tag tone="good">
          <Icon name="shield-check" size={13} /> Verified: {proof.data.entries.toLocaleString("en")} entries unchanged
        </Tag>
      ) : (
        <Tag tone="bad">
          {proof.data?.reason ?? `Changed from entry ${proof.data?.first_broken} on.`} Tell the person who runs this
          server.
        </Tag>
      )}
    </UnstyledButton>
  );
}
