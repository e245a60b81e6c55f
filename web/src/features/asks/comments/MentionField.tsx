import { Textarea } from "@mantine/core";
import { type KeyboardEvent, type RefObject, useId, useLayoutEffect, useRef, useState } from "react";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import classes from "./comments.module.css";
import { type Colleague, completed, matching, type OpenMention, openMention } from "./mentions";

interface MentionFieldProps {
  label: string;
  value: string;
  field: RefObject<HTMLTextAreaElement | null>;
  onChange: (text: string) => void;
  onSend: () => void;
}

/** A text in which `@` offers the people of the workspace. Ctrl-Enter sends. */
export function MentionField({ label, value, field, onChange, onSend }: MentionFieldProps) {
  // Who begins with an `@` is offered people at once.
  const [open, setOpen] = useState<OpenMention | null>(() => openMention(value, value.length));
  const [marked, setMarked] = useState(0);
  const cursor = useRef<number | null>(value.length);
  const list = useId();
  const found = matching(usePeople(open !== null), open?.typed ?? "");
  const offered = open ? found : [];
  const at = Math.min(marked, offered.length - 1);
  const chosen = offered[at];

  // After a choice the cursor goes behind it, not to the end.
  useLayoutEffect(() => {
    if (cursor.current === null) return;
    field.current?.setSelectionRange(cursor.current, cursor.current);
    cursor.current = null;
  });

  const look = (area: HTMLTextAreaElement) => {
    setOpen(openMention(area.value, area.selectionStart));
    setMarked(0);
  };
  const choose = (person: Colleague) => {
    if (!open) return;
    const next = completed(value, open, person);
    cursor.current = next.cursor;
    onChange(next.text);
    setOpen(null);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSend();
    else if (!chosen) return;
    else if (step) setMarked((at + step + offered.length) % offered.length);
    else if (event.key === "Enter" || event.key === "Tab") choose(chosen);
    else if (event.key === "Escape") setOpen(null);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={classes.field}>
      <Textarea
        ref={field}
        aria-label={label}
        placeholder={label}
        autosize
        minRows={1}
        maxRows={10}
        maxLength={4000}
        value={value}
        aria-autocomplete="list"
        aria-controls={chosen ? list : undefined}
        aria-activedescendant={chosen ? `${list}-${at}` : undefined}
        onChange={({ currentTarget }) => {
          onChange(currentTarget.value);
          look(currentTarget);
        }}
        onClick={({ currentTarget }) => look(currentTarget)}
        onBlur={() => setOpen(null)}
        onKeyDown={onKeyDown}
      />
      {chosen && (
        <div className={classes.offered} id={list} role="listbox" aria-label="People to mention">
          {offered.map((person, index) => (
            <div
              key={person.email}
              id={`${list}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={person === chosen}
              // The text keeps the focus.
              onMouseDown={(event) => {
                event.preventDefault();
                choose(person);
              }}
            >
              {person.name || person.email} <span className="small dim">{person.email}</span>
            </div>
          ))}
        </div>
      )}
    </div>
  );
}

/** Who can be told: everybody else who has come in. Read when somebody is first named. */
function usePeople(wanted: boolean): Colleague[] {
  const { user } = useMe();
  const query = { params: { query: { limit: 200 } } };
  const members = api.useQuery("get", "/api/members", query, { enabled: wanted }).data?.items ?? [];
  return members.filter(({ accepted_at, email }) => accepted_at !== null && email !== user.email);
}
