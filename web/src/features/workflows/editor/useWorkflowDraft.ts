import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useMemo, useRef, useState } from "react";
import { isProblem, Problem } from "@/api/problems";
import * as workflows from "@/api/workflows/workflows";
import { failed, said } from "@/ui/overlay/toast";
import { emptyText } from "../text/templates";
import { readText } from "../text/workflowText";

const PAUSE_MS = 350;
const NONE: workflows.WorkflowProblem[] = [];

/** A workflow being changed: its text, what is wrong with it, and how to save it. The text is what counts. */
export function useWorkflowDraft(slug: string, workflow: workflows.Workflow | undefined) {
  const [saved, setSaved] = useState(() => workflow?.yaml ?? emptyText(slug));
  const [text, setText] = useState(saved);
  // What the text began with, though a newer one may be known by now.
  const [base, setBase] = useState(workflow?.version ?? 0);
  const [theirs, setTheirs] = useState<workflows.Workflow | null>(null);
  const changed = text !== saved;
  // Read by what asks before leaving: a save that leads away has happened before it is drawn.
  const unsaved = useRef(false);
  unsaved.current = changed;
  const read = useMemo(() => readText(text), [text]);
  // While a line is half written, what could be read last.
  const drawn = useRef<workflows.WorkflowDefinition>(null);
  if (read.ok) drawn.current = read.definition;
  // Somebody who has just begun has done nothing wrong yet.
  const isFresh = !workflow && !theirs && !changed;
  const [settled] = useDebouncedValue(text, PAUSE_MS);
  const check = useQuery({
    queryKey: ["post", "/api/workflows/validate", settled],
    queryFn: () => workflows.checkWorkflow(settled),
    placeholderData: keepPreviousData,
    retry: false,
  });
  const queries = useQueryClient();
  const navigate = useNavigate();
  const taken = (made: workflows.Workflow) => {
    queries.setQueryData(workflows.workflowKey(made.slug), made);
    queries.invalidateQueries({ queryKey: workflows.workflowsKey });
  };
  /** Go on from another version. */
  const replace = (made: workflows.Workflow) => {
    setBase(made.version);
    setSaved(made.yaml);
    setText(made.yaml);
    taken(made);
  };
  // Whoever changed nothing just sees what somebody else saved.
  const newer = workflow && workflow.version > base && !changed ? workflow : null;
  useEffect(() => {
    if (!newer) return;
    setBase(newer.version);
    setSaved(newer.yaml);
    setText(newer.yaml);
  }, [newer]);
  const save = useMutation({
    mutationFn: (over?: number) =>
      workflow || theirs ? workflows.saveWorkflow(slug, text, over ?? base) : workflows.createWorkflow(text),
    onSuccess: (made) => {
      setTheirs(null);
      setBase(made.version);
      // Not the text as it is by now: somebody may have gone on typing.
      setSaved(made.yaml);
      unsaved.current = false;
      taken(made);
      said(`Version ${made.version} is saved as a draft.`);
      if (made.slug !== slug) navigate({ to: "/workflows/$slug", params: { slug: made.slug }, replace: true });
    },
    onError: async (error) => {
      const overtaken = isProblem(error, 409) && error instanceof Problem && error.code === "workflow_changed";
      if (!overtaken) return failed(withoutList(error));
      await workflows.readWorkflow(slug).then(setTheirs, failed);
    },
  });
  const deploy = useMutation({
    // What is looked at: somebody else may have saved a newer one.
    mutationFn: () => workflows.deployWorkflow(slug, base),
    onSuccess: (made) => {
      taken(made);
      said(`Version ${made.deployed_version} is deployed.`);
    },
    onError: failed,
  });
  return {
    text,
    read,
    drawn: drawn.current,
    save,
    deploy,
    changed,
    unsaved,
    checking: settled !== text || check.isFetching,
    /** Whether it is known what is wrong. */
    checked: check.data !== undefined,
    checkError: check.error,
    isFresh,
    problems: (!isFresh && check.data?.errors) || NONE,
    warnings: check.data?.warnings ?? NONE,
    edit: setText as (change: (text: string) => string) => void,
    replace,
    /** What somebody else saved since, where that was in the way of saving. */
    theirs,
    forgetTheirs: () => setTheirs(null),
  };
}

/** What is wrong stands under the canvas already, each at its place, and would cover here where it is mended. */
function withoutList(error: unknown): unknown {
  if (!(error instanceof Problem) || error.code !== "invalid_workflow") return error;
  return new Problem(error.status, `${error.detail} Nothing is saved yet: see the list.`, error.code);
}

export type WorkflowDraft = ReturnType<typeof useWorkflowDraft>;
