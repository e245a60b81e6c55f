import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isProblem } from "@/api/problems";
import { useMay } from "@/api/roles";
import { readWorkflow, type Workflow, workflowKey } from "@/api/workflows/workflows";
import { Empty, Failed, Loading } from "@/ui/States";
import { EditorPage } from "./EditorPage";

/** One workflow: on the canvas and as text. */
export function WorkflowEditor({ slug, isNew }: { slug: string; isNew: boolean }) {
  const query = useQuery({
    queryKey: workflowKey(slug),
    queryFn: () => readIfThere(slug),
  });
  if (query.isPending) return <Loading lines={5} height={64} />;
  if (query.data === undefined)
    return <Failed what="Couldn't load this workflow" error={query.error} retry={() => query.refetch()} />;
  if (query.data === null && !isNew) return <NoSuchWorkflow slug={slug} />;
  return <EditorPage slug={slug} workflow={query.data ?? undefined} />;
}

/** That there is none is known for good, like what there is: a server that is away for a moment changes nothing. */
const readIfThere = (slug: string): Promise<Workflow | null> =>
  readWorkflow(slug).catch((error) => {
    if (isProblem(error, 404)) return null;
    throw error;
  });

function NoSuchWorkflow({ slug }: { slug: string }) {
  const making = (
    <Button renderRoot={(props) => <Link {...props} to="/workflows/$slug" params={{ slug }} search={{ new: true }} />}>
      Make a workflow “{slug}”
    </Button>
  );
  return (
    <Empty icon="layers" title={`There is no workflow “${slug}”`} action={useMay("admin") ? making : undefined}>
      Look at <Link to="/workflows">all workflows</Link>: it may have another name, or be in another workspace.
    </Empty>
  );
}
