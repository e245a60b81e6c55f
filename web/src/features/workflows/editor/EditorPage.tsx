import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useRef, useState } from "react";
import { useMay } from "@/api/roles";
import type { Workflow, WorkflowProblem, WorkflowStep } from "@/api/workflows/workflows";
import { LeaveQuestion } from "@/ui/overlay/LeaveQuestion";
import page from "@/ui/page.module.css";
import { Loading } from "@/ui/States";
import type { CanvasHandle } from "../canvas/Canvas";
import type { Place } from "../graph/layout";
import { matchFields } from "../graph/matchFields";
import { useOffers } from "../panel/useOffers";
import { addStep, connect, moveStep, putStep } from "../text/stepChanges";
import type { HistoryState, TextHandle } from "../text/WorkflowTextEditor";
import { readText } from "../text/workflowText";
import classes from "../workflows.module.css";
import { EditorHead } from "./EditorHead";
import { EditorParts } from "./EditorParts";
import { useEditorKeys } from "./useEditorKeys";
import { useWorkflowDraft, type WorkflowDraft } from "./useWorkflowDraft";

const ConflictDialog = lazy(() => import("./ConflictDialog"));
const WorkflowTextEditor = lazy(() => import("../text/WorkflowTextEditor"));

/** A workflow that was loaded, or a new one, with all that changes it. */
export function EditorPage({ slug, workflow }: { slug: string; workflow?: Workflow }) {
  const readOnly = !useMay("admin");
  const narrow = useMediaQuery("(max-width: 68em)", false, { getInitialValueInEffect: false });
  const draft = useWorkflowDraft(slug, workflow);
  const { read, drawn, edit, text } = draft;
  const offers = useOffers(slug);
  const [chosen, setChosen] = useState<string | null>(null);
  const [target, setTarget] = useState<{ line: number } | null>(null);
  const history = useRef<TextHandle>(null);
  const [past, setPast] = useState<HistoryState>({ undo: false, redo: false });
  const canvas = useRef<CanvasHandle>(null);
  const copied = useRef<WorkflowStep>(null);
  const step = drawn?.steps.find(({ id }) => id === chosen);
  const put = (made: { text: string; id: string }) => {
    edit(() => made.text);
    setChosen(made.id);
  };
  /** After the chosen step, or else after the last, which needs no word. */
  const add = (wanted: Omit<WorkflowStep, "id">) => {
    const last = read.ok ? read.definition.steps.at(-1)?.id : undefined;
    put(addStep(text, { ...wanted, needs: step && step.id !== last ? [step.id] : undefined }));
  };
  /** Where it was let go it stands alone, until somebody draws an arrow to it. */
  const drop = (wanted: Omit<WorkflowStep, "id">, point: Place) => {
    const at = canvas.current?.placeAt(point);
    if (!at) return;
    const made = addStep(text, { ...wanted, needs: [] });
    put({ id: made.id, text: moveStep(made.text, made.id, at) });
  };
  const join = (from: string, to: string) =>
    edit((now) => {
      const joined = connect(now, from, to);
      const after = readText(joined);
      const next = after.ok ? after.definition.steps.find(({ id }) => id === to) : undefined;
      if (!after.ok || !next) return joined;
      const matched = matchFields(after.definition, to, offers.wantedBy(next), offers.schemas);
      return Object.keys(matched).length > 0 ? putStep(joined, to, { input: { ...next.input, ...matched } }) : joined;
    });
  const go = ({ step: at, line }: WorkflowProblem) => {
    if (at) {
      setChosen(at);
      canvas.current?.show(at);
    }
    if (line) setTarget({ line });
  };
  useEditorKeys(
    {
      undo: () => history.current?.undo(),
      redo: () => history.current?.redo(),
      copy: () => {
        copied.current = step ?? null;
      },
      paste: () => copied.current && put(addStep(text, copied.current)),
      duplicate: () => step && put(addStep(text, step)),
    },
    !readOnly,
  );
  return (
    <div className={`${page.page} ${classes.editorPage}`}>
      <EditorHead
        title={drawn?.name || slug}
        workflow={workflow}
        draft={draft}
        past={past}
        history={() => history.current}
      />
      <EditorParts
        canvas={canvas}
        isNew={!workflow}
        {...{ draft, offers, chosen, step, readOnly, narrow }}
        onChoose={setChosen}
        onAdd={add}
        onDrop={drop}
        onConnect={join}
        onGo={go}
        textEditor={
          <Suspense fallback={<Loading lines={1} height={240} />}>
            <WorkflowTextEditor
              ref={history}
              text={text}
              readOnly={readOnly}
              problems={draft.problems}
              target={target}
              onChange={(next) => edit(() => next)}
              onHistory={setPast}
            />
          </Suspense>
        }
      />
      <Overtaken draft={draft} />
      <LeaveQuestion unsaved={() => draft.unsaved.current} />
    </div>
  );
}

function Overtaken({ draft: { theirs, text, save, replace, forgetTheirs } }: { draft: WorkflowDraft }) {
  if (!theirs) return null;
  return (
    <Suspense>
      <ConflictDialog
        theirs={theirs}
        mine={text}
        pending={save.isPending}
        onSaveMine={() => save.mutate(theirs.version)}
        onTakeTheirs={() => {
          replace(theirs);
          forgetTheirs();
        }}
        onClose={forgetTheirs}
      />
    </Suspense>
  );
}
