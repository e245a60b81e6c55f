import { NativeSelect } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { api } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed, said } from "@/ui/overlay/toast";
import { AGES, expireWords } from "./expireWords";

/** Clear away what waits for too long. It says how many that are before anything happens. */
export default function ExpireOldDialog({ onClose }: { onClose: () => void }) {
  const [age, setAge] = useState("604800");
  const seconds = Number(age);
  const before = useMemo(() => new Date(Date.now() - seconds * 1000).toISOString(), [seconds]);
  const query = { status: "pending", before, limit: 1 };
  const old = api.useQuery("get", "/api/asks", { params: { query } }, { staleTime: 0 }).data?.total;
  const queries = useQueryClient();
  const expire = api.useMutation("post", "/api/asks/expire", {
    onSuccess: ({ expired }) => {
      said(`${expired.toLocaleString("en")} expired.`);
      queries.invalidateQueries({ queryKey: keyOf("/api/asks") });
      queries.invalidateQueries({ queryKey: keyOf("/api/asks/count") });
      onClose();
    },
    onError: failed,
  });
  return (
    <ConfirmDialog
      title="Expire old asks?"
      action={old ? `Expire ${Math.min(old, 1000).toLocaleString("en")}` : "Expire"}
      danger
      pending={expire.isPending}
      blocked={!old}
      onConfirm={() =>
        expire.mutate({ body: { older_than_seconds: (Date.now() - new Date(before).getTime()) / 1000 } })
      }
      onClose={onClose}
    >
      <NativeSelect
        label="Waiting for more than"
        data={AGES}
        value={age}
        onChange={({ currentTarget: { value } }) => setAge(value)}
      />
      <p role="status">{expireWords(old)}</p>
    </ConfirmDialog>
  );
}
