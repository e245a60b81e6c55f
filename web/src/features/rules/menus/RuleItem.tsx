import { Button, Menu, UnstyledButton } from "@mantine/core";
import { type ReactNode, useEffect, useRef } from "react";
import { verdictWords } from "@/ui/domain/verdict";
import { Icon } from "@/ui/icons";
import { DropdownButton } from "@/ui/overlay/DropdownButton";
import { DropdownMenu } from "@/ui/overlay/DropdownMenu";
import { Tag } from "@/ui/Tag";
import type { RuleInWords } from "../sentences/ruleSentences";
import classes from "./menus.module.css";

export interface RuleActions {
  onMove: (where: "up" | "down") => void;
  onSwitch: () => void;
  onDuplicate: () => void;
  onDelete: () => void;
}

interface RuleItemProps {
  rule: RuleInWords;
  /** Whether it can be moved there: first match wins, so order matters. */
  can: { up: boolean; down: boolean };
  /** Nothing, where the rules are only read. */
  actions: RuleActions | null;
  open: boolean;
  onOpen: () => void;
  onGo: () => void;
  /** Somebody came here for this rule: it is brought into sight, with this below it. */
  linked?: ReactNode;
  children: ReactNode;
}

/** A rule as a sentence, and what can be done with it. */
export function RuleItem({ rule, can, actions, open, onOpen, onGo, linked, children }: RuleItemProps) {
  const { name, verdict, sentence, off } = rule;
  const item = useRef<HTMLLIElement>(null);
  const isLinked = Boolean(linked);
  useEffect(() => {
    if (isLinked) item.current?.scrollIntoView();
  }, [isLinked]);
  return (
    <li ref={item} className={classes.item} data-off={off || undefined} aria-current={isLinked || undefined}>
      <div className={classes.head}>
        <UnstyledButton className={classes.name} onClick={onGo} title="Show it in the text">
          <strong>{name}</strong>
        </UnstyledButton>
        <Tag tone={off ? "calm" : verdictWords(verdict).tone}>{off ? "Off" : verdictWords(verdict).label}</Tag>
        <span className="grow" />
        {actions && (
          <>
            <Button
              size="compact-sm"
              variant="subtle"
              aria-expanded={open}
              aria-label={open ? `Done with ${name}` : `Change ${name}`}
              onClick={onOpen}
            >
              {open ? "Done" : "Change"}
            </Button>
            <DropdownButton
              className={classes.more}
              label={`More for ${name}`}
              menu={(close) => (
                <DropdownMenu onClose={close} position="bottom-end">
                  <Menu.Item leftSection={<Icon name="code" />} onClick={onGo}>
                    Show in the text
                  </Menu.Item>
                  <Menu.Item
                    disabled={!can.up}
                    leftSection={<Icon name="arrow-up" />}
                    onClick={() => actions.onMove("up")}
                  >
                    Move up
                  </Menu.Item>
                  <Menu.Item
                    disabled={!can.down}
                    leftSection={<Icon name="arrow-down" />}
                    onClick={() => actions.onMove("down")}
                  >
                    Move down
                  </Menu.Item>
                  <Menu.Item
                    leftSection={<Icon name={rule.rule.enabled === false ? "play" : "pause"} />}
                    onClick={actions.onSwitch}
                  >
                    {rule.rule.enabled === false ? "Switch on" : "Switch off"}
                  </Menu.Item>
                  <Menu.Item leftSection={<Icon name="copy" />} onClick={actions.onDuplicate}>
                    Duplicate
                  </Menu.Item>
                  <Menu.Item leftSection={<Icon name="trash-2" />} onClick={actions.onDelete}>
                    Delete
                  </Menu.Item>
                </DropdownMenu>
              )}
            >
              <Icon name="more" />
            </DropdownButton>
          </>
        )}
      </div>
      <p className="small">{sentence}</p>
      {linked}
      {open && children}
    </li>
  );
}
