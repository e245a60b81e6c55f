import { Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Loading } from "@/ui/States";
import type { Rules, RulesDraft } from "./rulesDraft";

const TextDiff = lazy(() => import("@/ui/editor/TextDiff"));

interface SaveConflictProps {
  rules: Rules;
  draft: RulesDraft;
  pending: boolean;
  onOver: () => void;
}

/** Somebody else saved first: what they have, what you have, and what to do about it. */
export function SaveConflict({ rules, draft, pending, onOver }: SaveConflictProps) {
  return (
    <section className={`card ${page.panel}`} aria-label="Someone else saved the rules">
      <div className={page.banner} data-tone="warn" role="alert" style={{ margin: 0 }}>
        <Icon name="triangle-alert" size={18} />
        <span className="grow">
          {rules.updated_by ?? "Someone"} saved version {rules.version} while you were writing. You began with version{" "}
          {draft.version}. Below is what yours would change in theirs.
        </span>
      </div>
      <Suspense fallback={<Loading lines={2} />}>
        <TextDiff before={rules.yaml} after={draft.text} label="Theirs and yours" />
      </Suspense>
      <div className="row wrap" style={{ justifyContent: "flex-end" }}>
        <Button variant="default" onClick={draft.drop}>
          Use theirs
        </Button>
        <Button variant="default" onClick={draft.rebase}>
          Keep editing mine
        </Button>
        <Button loading={pending} onClick={onOver}>
          Overwrite with mine
        </Button>
      </div>
    </section>
  );
}
