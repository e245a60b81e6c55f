import { Button } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { api, queries } from "@/api/client";
import { keyOf } from "@/api/queryKeys";
import type { Ask } from "@/api/types";
import { failed } from "@/ui/overlay/toast";
import classes from "./comments.module.css";
import { MentionField } from "./MentionField";

/** What somebody wrote and has not sent: the card starts afresh when its ask changes, and this is kept. */
const drafts = new Map<string, string>();

export function useComment(ask: Ask, onSent?: () => void) {
  return api.useMutation("post", "/api/asks/{ask_id}/comments", {
    onSuccess: () => {
      onSent?.();
      return queries.invalidateQueries({ queryKey: keyOf("/api/asks/{ask_id}/comments", { ask_id: ask.id }) });
    },
    onError: failed,
  });
}

interface CommentBoxProps {
  ask: Ask;
  /** The agent is still answering: it is asked one thing at a time. */
  isAnswering: boolean;
  /** How many comments stand above it. */
  count: number;
  /** Whoever asked for it writes at once: to anybody, or to a colleague whom they choose first. */
  begins: "comment" | "colleague" | undefined;
}

export function CommentBox({ ask, isAnswering, count, begins }: CommentBoxProps) {
  const [text, setText] = useState(drafts.get(ask.id) || (begins === "colleague" ? "@" : ""));
  const [asked, setAsked] = useState(0);
  const field = useRef<HTMLTextAreaElement>(null);
  const box = useRef<HTMLDivElement>(null);
  // Whoever writes here is not pushed behind the buttons by what others say.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new comment is the reason to look
  useEffect(() => {
    if (document.activeElement === field.current) box.current?.scrollIntoView({ block: "nearest" });
  }, [count]);
  useEffect(() => {
    if (begins || asked > 0) field.current?.focus();
  }, [begins, asked]);
  const write = (next: string) => {
    drafts.set(ask.id, next);
    setText(next);
  };
  const sending = useComment(ask, () => write(""));
  const canAsk = ask.run_id !== null;
  const send = (toAgent: boolean) => {
    if (text.trim() === "" || sending.isPending) return;
    sending.mutate({ params: { path: { ask_id: ask.id } }, body: { text, to_agent: toAgent } });
    // Not on the button, where the next key would decide.
    field.current?.focus();
  };
  return (
    <div className={classes.box} ref={box}>
      <MentionField
        key={asked}
        label={canAsk ? "Comment, or ask the agent" : "Comment"}
        value={text}
        field={field}
        onChange={write}
        onSend={() => send(false)}
      />
      {text.trim() === "" ? (
        <Button
          size="compact-xs"
          variant="subtle"
          style={{ alignSelf: "flex-start" }}
          onClick={() => {
            write("@");
            setAsked(asked + 1);
          }}
        >
          Ask a colleague
        </Button>
      ) : (
        <div className="row wrap" style={{ gap: "0.5rem" }}>
          <Button size="xs" variant="default" disabled={sending.isPending} onClick={() => send(false)}>
            Comment
          </Button>
          {canAsk && (
            <Button
              size="xs"
              variant="default"
              disabled={sending.isPending || isAnswering}
              onClick={() => send(true)}
              title={isAnswering ? "It is still answering." : "It answers here. Nothing is decided."}
            >
              Ask the agent
            </Button>
          )}
          <span className="small dim">@ mentions a colleague. Ctrl+Enter comments.</span>
        </div>
      )}
    </div>
  );
}
