import { Button, Loader } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { type FocusEvent, type KeyboardEvent, lazy, Suspense, useRef, useState } from "react";
import { EffectPreview } from "@/ui/domain/effects/EffectPreview";
import { Icon } from "@/ui/icons";
import { useOverlay } from "@/ui/overlay/useOverlay";
import { Loading } from "@/ui/States";
import classes from "../ask.module.css";
import { DecisionBar } from "../decision/DecisionBar";
import type { DecideProps } from "../decision/decideProps";
import { draftOf, keepDraft } from "../outbox/answerDrafts";
import { signatures, signLabel } from "../outbox/decisionWords";
import { changeWords } from "./argumentChanges";
import { ChangeList } from "./ChangeList";
import { type EditedValues, useEdit, ValueEditor } from "./editedArguments";
import { FieldErrors } from "./FieldErrors";
import { FocusFirstField } from "./FocusFirstField";

const DiscardEdit = lazy(() => import("./DiscardEdit"));

interface EditArgumentsProps extends Omit<DecideProps, "shortcuts"> {
  onBack: () => void;
}

/** Change the arguments, see what that changes, then approve exactly these. */
export function EditArguments({ ask, answering, children, onBack }: EditArgumentsProps) {
  const [written] = useState(() => draftOf(ask));
  const first = written.arguments ?? ask.arguments ?? {};
  const [draft, setDraft] = useState<EditedValues>(() => ({ values: first, problem: null }));
  const [settled] = useDebouncedValue(draft, 250);
  const edit = useEdit(ask, draft, settled, !answering.overtaken);
  const untouched = !edit.checking && edit.errors.length === 0 && edit.changes.length === 0;
  const { note = null } = written;
  const approve = () => {
    if (edit.arguments) answering.send({ decision: "approve", arguments: edit.arguments, note });
    else if (untouched) answering.send({ decision: "approve", note });
  };
  const change = (values: EditedValues["values"], problem: string | null) => {
    setDraft({ values, problem });
    if (values) keepDraft(ask, { decision: "approve", arguments: values });
  };
  const fields = useRef<HTMLDivElement>(null);
  const { over, open, close } = useOverlay<"leaving">();
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      approve();
    }
    // A list of completions or a search is closed by the same key first.
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.stopPropagation();
    if (untouched) onBack();
    else open("leaving");
  };
  return (
    <>
      {over && (
        <Suspense>
          <DiscardEdit onDiscard={onBack} onKeep={close} />
        </Suspense>
      )}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys work from wherever the focus is in the editor */}
      <div className={classes.body} ref={fields} onFocus={keepEscape} onKeyDown={onKey}>
        <div className={classes.toolhead}>
          <Icon name="pencil" size={15} />
          <h3>Edit before approving</h3>
          <code>{ask.tool}</code>
        </div>
        <Suspense fallback={<Loading lines={3} height={56} />}>
          <ValueEditor
            label={`Arguments of ${ask.tool}`}
            schema={ask.arguments_schema}
            value={first}
            onChange={change}
          />
          <FocusFirstField within={fields} />
        </Suspense>
        <FieldErrors errors={edit.errors} />
        {edit.changes.length > 0 && edit.errors.length === 0 && (
          <>
            <div className="label">Your changes</div>
            <ChangeList changes={edit.changes} />
            <EffectPreview preview={edit.preview} />
          </>
        )}
      </div>
      {children}
      <DecisionBar ask={ask} answering={answering}>
        {edit.changes.length > 0 && !answering.overtaken && (
          <p className="small">
            <strong className="cut">{changeWords(edit.changes)}</strong>{" "}
            <span className="dim">
              {edit.unchecked && "You're offline: this is checked when it's sent. "}
              {signatures(ask) > 0 && "Earlier signatures no longer count. "}
              Your change is saved as a lesson.
              {ask.four_eyes && " You changed it, so someone else must approve (four eyes)."}
            </span>
          </p>
        )}
        {note && <p className="small dim">With your note: “{note}”</p>}
        <div className={classes.buttons}>
          <Button
            data-main
            leftSection={<Icon name="check" />}
            disabled={!edit.arguments && !untouched}
            onClick={approve}
          >
            {untouched ? signLabel(ask, "Approve") : signLabel(ask, "Approve with changes", true)}
          </Button>
          <Button variant="subtle" color="gray" onClick={onBack}>
            Discard changes
          </Button>
          {edit.checking && (
            <span role="status" aria-label="Checking">
              <Loader size="xs" />
            </span>
          )}
        </div>
      </DecisionBar>
    </>
  );
}

/** In a dialog, Escape closes the dialog, unless what has the focus says that it needs the key itself. */
const keepEscape = ({ target }: FocusEvent) => target.setAttribute("data-mantine-stop-propagation", "true");
