import { Button } from "@mantine/core";
import { useMemberNames } from "@/api/memberNames";
import { useMay } from "@/api/roles";
import type { Ask, Comment } from "@/api/types";
import { Icon } from "@/ui/icons";
import { LoadMore } from "@/ui/list/LoadMore";
import { Failed } from "@/ui/States";
import { Prose } from "@/ui/text/Prose";
import { Ago } from "@/ui/time/clock";
import { CommentBox, useComment } from "./CommentBox";
import classes from "./comments.module.css";
import { byName } from "./mentions";
import { useComments } from "./useComments";

/** The comments, and a box for one more. Nothing here decides. */
export default function Conversation({ ask, begins }: { ask: Ask; begins: "comment" | "colleague" | undefined }) {
  const mayWrite = useMay("member");
  const list = useComments(ask.id);
  const comments = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const isAnswering = comments.some(({ state }) => state === "pending");
  return (
    <div className={classes.conversation}>
      {list.isError && <Failed what="Couldn't load the comments" error={list.error} retry={() => list.refetch()} />}
      {comments.length > 0 && (
        <ol className={classes.list}>
          {comments.map((comment) => (
            <li key={comment.id} className={classes.comment} data-agent={comment.kind === "agent" || undefined}>
              <p className={classes.author}>
                {comment.kind === "agent" && <Icon name="bot" size={14} />}
                <strong>{comment.author_name || comment.author}</strong>
                <span className="small dim">
                  {comment.kind === "agent" && "agent · "}
                  {comment.to_agent && "to the agent · "}
                  <Ago at={comment.created_at} />
                </span>
              </p>
              <Words ask={ask} comment={comment} question={comments.find(({ id }) => id === comment.question_id)} />
            </li>
          ))}
        </ol>
      )}
      <LoadMore list={list} />
      {mayWrite && <CommentBox ask={ask} isAnswering={isAnswering} count={comments.length} begins={begins} />}
    </div>
  );
}

interface WordsProps {
  ask: Ask;
  comment: Comment;
  question: Comment | undefined;
}

function Words({ ask, comment, question }: WordsProps) {
  const named = useMemberNames(comment.mentions.length > 0);
  switch (comment.state) {
    case null:
      return <p className={classes.text}>{byName(comment.text, comment.mentions, named)}</p>;
    case "pending":
      return (
        <p className="small dim" role="status">
          … is reading its transcript
        </p>
      );
    case "answered":
      return <Prose text={comment.text} />;
    case "failed":
      return <NoAnswer ask={ask} why={comment.text} question={question} />;
    default:
      return comment.state satisfies never;
  }
}

function NoAnswer({ ask, why, question }: { ask: Ask; why: string; question: Comment | undefined }) {
  const mayAsk = useMay("member");
  const again = useComment(ask);
  const askAgain = () =>
    question && again.mutate({ params: { path: { ask_id: ask.id } }, body: { text: question.text, to_agent: true } });
  return (
    <>
      <p className="small dim">{why}</p>
      {mayAsk && question && (
        <Button size="compact-xs" variant="subtle" disabled={again.isPending} onClick={askAgain}>
          Ask again
        </Button>
      )}
    </>
  );
}
