import { Button, Menu } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, useMemo, useState } from "react";
import { Icon } from "@/ui/icons";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import { said, showNotice } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import type { Schema, Words } from "../editor/ruleCompletion";
import { changeRule } from "../ruleText/changeRule";
import { type RulePlace, readRules } from "../ruleText/readRules";
import { addRule, duplicateRule, insertRule, isAt, moveRule, removeRule, takeRule } from "../ruleText/ruleList";
import { type RuleInWords, rulesInWords, wordsOf } from "../sentences/ruleSentences";
import { choicesOf } from "./conditions";
import classes from "./menus.module.css";
import { NEW_RULES } from "./newRule";
import { RuleForm } from "./RuleForm";
import { type RuleActions, RuleItem } from "./RuleItem";

interface RulesInWordsProps {
  /** What is being written, and what is in force: that is shown while the other cannot be read. */
  draft: string;
  inForce: string;
  readOnly: boolean;
  words: Words;
  schema: Schema | undefined;
  onChange: (text: string) => void;
  /** The draft as it is by then: a toast outlives the text that it was made of. */
  latest: () => string;
  onUndo: () => void;
  onGo: (place: { line: number; column: number }) => void;
  /** The name of the rule that somebody came for, and what is offered below it. */
  linked?: string;
  offer: (rule: RuleInWords) => ReactNode;
}

/** The rules as sentences, built and changed by menus. The text below is what counts; both are always the same. */
export default function RulesInWords(props: RulesInWordsProps) {
  const { draft, inForce, readOnly, words, schema, onChange, latest, onUndo, onGo, linked, offer } = props;
  const read = useMemo(() => readRules(draft), [draft]);
  const rules = useMemo(() => (read.ok ? wordsOf(read) : (rulesInWords(inForce) ?? [])), [read, inForce]);
  const choices = useMemo(() => choicesOf(schema), [schema]);
  const found = rules.find(({ name }) => name === linked);
  const [open, setOpen] = useState<RulePlace | null>(found ?? null);
  // The one just made: its name is what comes next.
  const [fresh, setFresh] = useState(false);
  const locked = readOnly || !read.ok;
  const [wasThere] = useState(found !== undefined);
  const missing = linked !== undefined && !found && !wasThere && <Missing name={linked} />;
  if (rules.length === 0 && locked && read.ok) return missing;

  const remove = (rule: RuleInWords) => {
    const kept = takeRule(draft, rule);
    setOpen(null);
    onChange(removeRule(draft, rule));
    showNotice({
      message: `Deleted ${rule.name}.`,
      tone: "info",
      action: { label: "Undo", onClick: () => putBack(rule, kept) },
    });
  };
  const putBack = (place: RulePlace, kept: string) => {
    const now = latest();
    if (readRules(now).ok) onChange(insertRule(now, place, kept));
    else said("The text can't be read right now. Press Ctrl+Z in it instead.");
  };
  const neighbour = (rule: RuleInWords, step: 1 | -1): RuleInWords | undefined => {
    const other = rules[rules.indexOf(rule) + step];
    return other?.section === rule.section && (other.verdict === "deny") === (rule.verdict === "deny")
      ? other
      : undefined;
  };
  const actionsOf = (rule: RuleInWords): RuleActions => ({
    onMove: (where) => {
      const other = neighbour(rule, where === "up" ? -1 : 1);
      setOpen(null);
      if (other) onChange(moveRule(draft, rule, other, where === "up" ? "before" : "after"));
    },
    onSwitch: () =>
      onChange(
        changeRule(draft, rule, [{ path: ["enabled"], value: rule.rule.enabled === false ? undefined : false }]),
      ),
    onDuplicate: () => show(duplicateRule(draft, rule)),
    onDelete: () => remove(rule),
  });
  const show = ({ text, place }: { text: string; place: RulePlace }) => {
    onChange(text);
    setFresh(true);
    setOpen(place);
  };
  const undoByKey = (event: KeyboardEvent) => {
    const typing = event.target instanceof HTMLInputElement && !["checkbox", "button"].includes(event.target.type);
    if (event.key !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || typing || locked) return;
    event.preventDefault();
    onUndo();
  };
  return (
    <section className={`card ${classes.words}`} aria-label="Rules in words" onKeyDown={undoByKey}>
      <div className={classes.top}>
        <p className="small dim grow">
          Denials come first. Then the first rule that matches wins. Automatic approvals come last.
        </p>
        {!locked && (
          <>
            {draft !== inForce && (
              <Button size="compact-sm" variant="default" leftSection={<Icon name="corner-up-left" />} onClick={onUndo}>
                Undo
              </Button>
            )}
            <DropdownButton
              className={classes.new}
              menu={(close) => (
                <DropdownMenu onClose={close} position="bottom-end">
                  {NEW_RULES.map(({ label, section, rule }) => (
                    <Menu.Item key={label} onClick={() => show(addRule(draft, section, rule))}>
                      {label}
                    </Menu.Item>
                  ))}
                </DropdownMenu>
              )}
            >
              <Icon name="plus" /> Add a rule
            </DropdownButton>
          </>
        )}
      </div>
      {missing}
      {!read.ok && (
        <div className={page.banner} data-tone="warn" role="status">
          <Icon name="triangle-alert" size={18} />
          <span className="grow">
            Menus are off: line {read.line} of the text can't be read ({read.reason}).
            {rules.length > 0 && " Below are the current rules."}
          </span>
          <Button size="compact-sm" variant="default" onClick={() => onGo({ line: read.line, column: 1 })}>
            Go there
          </Button>
        </div>
      )}
      <ol className={`${page.list} ${classes.items}`}>
        {rules.map((rule) => (
          <RuleItem
            key={`${rule.section}:${rule.index}`}
            rule={rule}
            can={{ up: Boolean(neighbour(rule, -1)), down: Boolean(neighbour(rule, 1)) }}
            actions={locked ? null : actionsOf(rule)}
            open={!locked && open !== null && isAt(open, rule)}
            onOpen={() => {
              setFresh(false);
              setOpen(open && isAt(open, rule) ? null : rule);
            }}
            onGo={() => onGo({ line: rule.line, column: 1 })}
            linked={rule === found && read.ok ? offer(rule) : undefined}
          >
            <RuleForm
              text={draft}
              rule={rule}
              fresh={fresh}
              choices={choices}
              words={words}
              onChange={onChange}
              onGo={() => onGo({ line: rule.line, column: 1 })}
            />
          </RuleItem>
        ))}
      </ol>
    </section>
  );
}

function Missing({ name }: { name: string }) {
  return (
    <div className={page.banner} data-tone="warn" role="status">
      <Icon name="triangle-alert" size={18} />
      <span className="grow">
        There is no rule “{name}” any more. It was renamed or deleted:{" "}
        <Link to="/rules" search={{ tab: "history" }} style={{ textDecoration: "underline" }}>
          see the history
        </Link>
        .
      </span>
    </div>
  );
}
