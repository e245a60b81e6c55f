import { lazy, Suspense } from "react";
import { api } from "@/api/client";
import type { FieldError } from "@/api/problems";
import type { Values } from "@/api/types";
import { Failed, Loading } from "@/ui/States";

const ValueEditor = lazy(() => import("@/ui/editor/ValueEditor"));

interface WorkflowInputProps {
  slug: string;
  /** The one that will run. */
  version: number | null;
  value: Values | null;
  onChange: (value: Values | null) => void;
  /** What is wrong with it, as it was sent. */
  errors: FieldError[];
}

/** What a workflow is given each time: its own form, or text. */
export function WorkflowInput({ slug, version, value, onChange, errors }: WorkflowInputProps) {
  const workflow = api.useQuery("get", "/api/workflows/{slug}", { params: { path: { slug }, query: { version } } });
  if (workflow.isPending) return <Loading lines={1} height={90} />;
  if (!workflow.data)
    return <Failed what="Couldn't load this workflow" error={workflow.error} retry={() => workflow.refetch()} />;
  const schema = (workflow.data.definition as Values).input_schema as Values | null | undefined;
  return (
    <Suspense fallback={<Loading lines={1} height={90} />}>
      <ValueEditor
        label="What it is given each time"
        schema={schema}
        value={value}
        onChange={onChange}
        errors={errors}
      />
    </Suspense>
  );
}
