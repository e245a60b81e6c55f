import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { isProblem } from "@/api/problems";
import type { Ask } from "@/api/types";
import { Empty, Failed, Loading } from "@/ui/States";
import classes from "../ask.module.css";
import { AskCard } from "./AskCard";

interface AskDetailProps {
  askId: string;
  /** What the list knows of it already, and since when. */
  known?: Ask;
  knownAt?: number;
  shortcuts?: boolean;
  cameByItself?: boolean;
  onDecided: (ask: Ask) => void;
}

/** One ask on a page of its own, with shortcuts. */
export function AskDetail({ askId, known, knownAt, shortcuts = true, cameByItself, onDecided }: AskDetailProps) {
  const query = api.useQuery(
    "get",
    "/api/asks/{ask_id}",
    { params: { path: { ask_id: askId } } },
    { initialData: known, initialDataUpdatedAt: knownAt },
  );
  if (query.isPending) return <Loading lines={3} height={64} />;
  if (!query.data && isProblem(query.error, 404)) return <NoSuchAsk />;
  if (!query.data) return <Failed what="Couldn't load this ask" error={query.error} retry={() => query.refetch()} />;
  return (
    <div className={classes.page}>
      <AskCard ask={query.data} onDecided={onDecided} shortcuts={shortcuts} cameByItself={cameByItself} />
    </div>
  );
}

function NoSuchAsk() {
  return (
    <Empty
      icon="circle-help"
      title="Ask not found"
      action={
        <Button component={Link} to="/inbox">
          Go to the inbox
        </Button>
      }
    >
      The link may be incomplete, or from another workspace.
    </Empty>
  );
}
