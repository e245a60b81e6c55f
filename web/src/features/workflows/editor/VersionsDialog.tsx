import { Button, Modal } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useMemberNames } from "@/api/memberNames";
import { useMay } from "@/api/roles";
import { readDiff, readVersions, restoreVersion, type Workflow } from "@/api/workflows/workflows";
import { failed, said } from "@/ui/overlay/toast";
import { Failed, Loading } from "@/ui/States";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import classes from "../workflows.module.css";

const TextDiff = lazy(() => import("@/ui/editor/TextDiff"));

interface VersionsDialogProps {
  workflow: Workflow;
  onClose: () => void;
  onRestored: (workflow: Workflow) => void;
}

/** All versions, what separates each from the newest, and the way back to it. */
export default function VersionsDialog({ workflow: { slug, version }, onClose, onRestored }: VersionsDialogProps) {
  const admin = useMay("admin");
  const list = useQuery({ queryKey: ["workflow versions", slug, version], queryFn: () => readVersions(slug) });
  const named = useMemberNames();
  const [shown, setShown] = useState<number | null>(null);
  const diff = useQuery({
    queryKey: ["workflow diff", slug, shown, version],
    queryFn: () => readDiff(slug, shown ?? version, version),
    enabled: shown !== null,
  });
  const restore = useMutation({
    mutationFn: (old: number) => restoreVersion(slug, old),
    onSuccess: (made) => {
      said(`Restored as version ${made.version}, a draft.`);
      onRestored(made);
      onClose();
    },
    onError: failed,
  });
  return (
    <Modal opened onClose={onClose} title="Versions" size="48rem" closeButtonProps={{ "aria-label": "Close" }}>
      {list.isPending && <Loading lines={3} />}
      {list.isError && <Failed what="Couldn't load the versions" error={list.error} retry={() => list.refetch()} />}
      <ul className={classes.rows} aria-label="Versions">
        {list.data?.items.map((each) => (
          <li key={each.version} className={classes.item}>
            <strong>Version {each.version}</strong>
            {each.deployed && <Tag tone="good">Deployed</Tag>}
            <span className="grow small dim">
              {named(each.saved_by)}, <Ago at={each.created_at} />
            </span>
            {each.version !== version && (
              <>
                <Button size="xs" variant="default" onClick={() => setShown(each.version)}>
                  Compare
                </Button>
                {admin && (
                  <Button
                    size="xs"
                    variant="default"
                    loading={restore.isPending}
                    onClick={() => restore.mutate(each.version)}
                  >
                    Restore
                  </Button>
                )}
              </>
            )}
          </li>
        ))}
      </ul>
      {diff.data && (
        <Suspense fallback={<Loading lines={2} />}>
          <TextDiff
            before={diff.data.yaml_a}
            after={diff.data.yaml_b}
            label={`Version ${shown} compared with version ${version}`}
          />
        </Suspense>
      )}
    </Modal>
  );
}
