import { Button } from "@mantine/core";
import { useState } from "react";
import { isProblem } from "@/api/problems";
import { needsWords, useMay } from "@/api/roles";
import { ConfirmDialog } from "@/ui/overlay/ConfirmDialog";
import { failed } from "@/ui/overlay/toast";
import type { Rules, RulesDraft } from "./editor/rulesDraft";
import { useSaveRules } from "./editor/useSaveRules";
import { changeRule } from "./ruleText/changeRule";
import type { Verdict } from "./sentences/actionWords";
import type { RuleInWords } from "./sentences/ruleSentences";

const AFTERWARDS: Record<Verdict, string> = {
  allow: "It approves nothing from now on: such calls ask a person, unless something else lets them through.",
  ask: "It asks nobody from now on: other rules and the agents’ own settings decide about such calls.",
  deny: "It stops nothing from now on: other rules and the agents’ own settings decide about such calls.",
};

interface SwitchOffProps {
  rules: Rules;
  draft: RulesDraft;
  rule: RuleInWords;
}

/** What the message about an automatic approval offers: its rule is switched off, and on again. */
export default function SwitchOff({ rules, draft, rule }: SwitchOffProps) {
  const admin = useMay("admin");
  const [asked, setAsked] = useState(false);
  const close = () => setAsked(false);
  const save = useSaveRules(close);
  const isOff = rule.rule.enabled === false;
  if (rules.file)
    return (
      <p className="small">
        To switch it {isOff ? "on" : "off"}, {isOff ? "remove" : "write"} <code>enabled: false</code> in the file, at
        line {rule.line}.
      </p>
    );
  if (!admin) return <p className="small">{needsWords("admin", "switch a rule off")}</p>;
  const put = () => {
    const value = isOff ? undefined : false;
    const yaml = changeRule(draft.text, rule, [{ path: ["enabled"], value }]);
    if (draft.changed) return draft.change(yaml);
    const note = `${rule.name}: switched ${isOff ? "on" : "off"}`.slice(0, 200);
    // Somebody saved meanwhile: what is shown is read again.
    const onError = (error: unknown) => isProblem(error, 409) && failed(error);
    save.mutate({ body: { yaml, version: rules.version, note } }, { onError });
  };
  return (
    <div className="row wrap" style={{ marginTop: "0.25rem" }}>
      <Button
        size="compact-sm"
        variant="default"
        loading={save.isPending}
        onClick={isOff || draft.changed ? put : () => setAsked(true)}
      >
        Switch this rule {isOff ? "on" : "off"}
      </Button>
      {draft.changed && (
        <span className="small dim">You have unsaved changes: it takes effect when you save them.</span>
      )}
      {asked && (
        <ConfirmDialog
          title={`Switch off “${rule.name}”?`}
          action="Switch it off"
          pending={save.isPending}
          onConfirm={put}
          onClose={close}
        >
          {AFTERWARDS[rule.verdict]}
        </ConfirmDialog>
      )}
    </div>
  );
}
