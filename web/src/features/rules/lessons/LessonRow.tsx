import { Checkbox, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAgentNames } from "@/api/agentNames";
import { useMemberNames } from "@/api/memberNames";
import { useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import { Ago } from "@/ui/time/clock";
import { Fields } from "@/ui/values/Values";
import { LessonTextDialog } from "./LessonTextDialog";
import type { Lesson, LessonChanges } from "./useLessonChanges";

interface LessonRowProps {
  lesson: Lesson;
  may: boolean;
  chosen: boolean;
  onChoose: () => void;
  changes: LessonChanges;
}

const REACH: Record<Lesson["scope"], string> = {
  agent_and_tool: "This agent and tool",
  all_agents: "All agents with this tool",
  all_tools: "All tools of this agent",
};
const KINDS: Record<string, string> = { edited: "Edited", refused: "Denied", redirected: "Replied instead" };
const SCOPES = Object.keys(REACH) as Lesson["scope"][];

export function LessonRow({ lesson, may, chosen, onChoose, changes }: LessonRowProps) {
  const [editing, setEditing] = useState(false);
  const named = useMemberNames();
  const agentNamed = useAgentNames();
  return (
    <li className={page.panel} style={{ gap: "0.35rem", paddingBlock: "0.75rem" }}>
      <div className="row wrap">
        {may && <Checkbox size="xs" aria-label={`Choose: ${lesson.text}`} checked={chosen} onChange={onChoose} />}
        <Tag tone={lesson.kind === "refused" ? "bad" : "info"}>{KINDS[lesson.kind] ?? lesson.kind}</Tag>
        {!lesson.active && <Tag plain>Off</Tag>}
        <code>{lesson.tool}</code>
        {lesson.scope !== "agent_and_tool" && <Tag plain>{REACH[lesson.scope]}</Tag>}
        <span className="small dim grow">
          {agentNamed(lesson.agent)} ·{" "}
          <Link to="/asks/$askId" params={{ askId: lesson.ask_id }}>
            {named(lesson.created_by)}, <Ago at={lesson.created_at} />
          </Link>
        </span>
        {may && <LessonMenu lesson={lesson} changes={changes} onEdit={() => setEditing(true)} />}
      </div>
      <LessonText lesson={lesson} />
      {editing && (
        <LessonTextDialog
          title="Edit this lesson"
          action="Save"
          text={lesson.text}
          pending={changes.pending}
          onSave={(text) => changes.change(lesson.id, { text }, () => setEditing(false))}
          onClose={() => setEditing(false)}
        />
      )}
    </li>
  );
}

interface LessonMenuProps {
  lesson: Lesson;
  changes: LessonChanges;
  onEdit: () => void;
}

function LessonMenu({ lesson, changes, onEdit }: LessonMenuProps) {
  const admin = useMay("admin");
  // What reaches further is an admin's to widen, and anybody's here to take back.
  const scopes = SCOPES.filter((scope) => scope !== lesson.scope && (admin || scope === "agent_and_tool"));
  return (
    <DropdownButton
      className={page.more}
      label={`More about this lesson: ${lesson.text}`}
      menu={(close) => (
        <DropdownMenu position="bottom-end" width={240} onClose={close}>
          <Menu.Item onClick={onEdit}>Edit</Menu.Item>
          <Menu.Item onClick={() => changes.change(lesson.id, { active: !lesson.active })}>
            {lesson.active ? "Switch off" : "Switch on"}
          </Menu.Item>
          {scopes.map((scope) => (
            <Menu.Item key={scope} onClick={() => changes.change(lesson.id, { scope })}>
              Apply to {REACH[scope].toLowerCase()}
            </Menu.Item>
          ))}
          <Menu.Item color="red" leftSection={<Icon name="trash-2" />} onClick={() => changes.forget(lesson.id)}>
            Delete
          </Menu.Item>
        </DropdownMenu>
      )}
    >
      <Icon name="more" />
    </DropdownButton>
  );
}

/** Why, in a person's words; what it was about, on demand. */
function LessonText({ lesson }: { lesson: Lesson }) {
  const { original, changed, reason, own_text: own } = lesson;
  return (
    <>
      {own ? <p>{own}</p> : reason && <p>“{reason}”</p>}
      {original && (
        <details>
          <summary className="small dim">{changed ? "What was changed" : "What it wanted"}</summary>
          <div className="stack small" style={{ paddingTop: "0.5rem" }}>
            <Fields values={Object.entries(original)} />
            {changed && (
              <>
                <div className="label">As it was changed</div>
                <Fields values={Object.entries(changed)} />
              </>
            )}
          </div>
        </details>
      )}
    </>
  );
}
