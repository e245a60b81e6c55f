import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";

const ExpireOldDialog = lazy(() => import("./ExpireOldDialog"));

/** For admins: clear away what nobody will answer any more. */
export function ExpireOld() {
  const admin = useMay("admin");
  const [asked, setAsked] = useState(false);
  if (!admin) return null;
  return (
    <>
      <Button
        size="compact-xs"
        variant="subtle"
        color="gray"
        justify="flex-start"
        leftSection={<Icon name="clock" size={13} />}
        onClick={() => setAsked(true)}
      >
        Expire old asks
      </Button>
      {asked && (
        <Suspense>
          <ExpireOldDialog onClose={() => setAsked(false)} />
        </Suspense>
      )}
    </>
  );
}
