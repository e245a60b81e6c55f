import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { useMay } from "@/api/roles";
import type { Ask } from "@/api/types";
import { useComments } from "./useComments";

// Most asks are decided without a word: what they need for one is loaded with the first.
const Conversation = lazy(() => import("./Conversation"));

/** The asks about which somebody began to write here: their cards may start afresh meanwhile. */
const begun = new Set<string>();

/** What people say about an ask, and a way to. */
export function AskConversation({ ask }: { ask: Ask }) {
  const comments = useComments(ask.id);
  const mayWrite = useMay("member");
  const [opened, setOpened] = useState<"comment" | "colleague">();
  const begin = (how: "comment" | "colleague") => {
    begun.add(ask.id);
    setOpened(how);
  };
  const isTalkedAbout = (comments.data?.pages[0]?.total ?? 0) > 0 || comments.isError;
  return (
    <section aria-label="Conversation" data-conversation>
      <h3 className="label">Conversation</h3>
      {isTalkedAbout || opened || begun.has(ask.id) ? (
        <Suspense>
          <Conversation ask={ask} begins={opened} />
        </Suspense>
      ) : (
        <p className="row wrap small dim">
          Nobody has said anything yet.
          {mayWrite && (
            <>
              <Button size="compact-sm" variant="subtle" onClick={() => begin("comment")}>
                {ask.run_id ? "Comment, or ask the agent" : "Comment"}
              </Button>
              <Button size="compact-sm" variant="subtle" onClick={() => begin("colleague")}>
                Ask a colleague
              </Button>
            </>
          )}
        </p>
      )}
    </section>
  );
}
