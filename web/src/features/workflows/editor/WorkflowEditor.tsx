import { useQuery } from "@tanstack/react-query";
import { isProblem } from "@/api/problems";
import { readWorkflow, workflowKey } from "@/api/workflows/workflows";
import { Failed, Loading } from "@/ui/States";
import { EditorPage } from "./EditorPage";

/** One workflow: on the canvas and as text. One that is not there yet is a new one. */
export function WorkflowEditor({ slug }: { slug: string }) {
  const query = useQuery({
    queryKey: workflowKey(slug),
    queryFn: () => readWorkflow(slug),
    retry: (count, error) => count < 2 && !isProblem(error, 404),
  });
  if (query.isPending) return <Loading lines={5} height={64} />;
  if (!query.data && !isProblem(query.error, 404))
    return <Failed what="Couldn't load this workflow" error={query.error} retry={() => query.refetch()} />;
  return <EditorPage slug={slug} workflow={query.data} />;
}
