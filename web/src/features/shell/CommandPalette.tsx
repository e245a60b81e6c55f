import { Modal, TextInput, useMantineColorScheme } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useState } from "react";
import { api } from "@/api/client";
import { useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { SCHEMES } from "./colorSchemes";
import { type Command, matching, type PauseCommand, pauseCommand } from "./commands";
import { PAGES } from "./pages";
import classes from "./shell.module.css";
import { useWorkspaces } from "./useWorkspaces";

interface CommandPaletteProps {
  /** The asks that are decided and only about to be sent. */
  decided: ReadonlySet<string>;
  goTo: (workspace: string) => void;
  pauseAll: PauseCommand | null;
  onClose: () => void;
  onHelp: () => void;
}

/** Type what you want: a page, a run, an agent, the next thing to decide. */
export default function CommandPalette({ decided, goTo, pauseAll, onClose, onHelp }: CommandPaletteProps) {
  const [typed, setTyped] = useState("");
  const [at, setAt] = useState(0);
  const workspaces = useWorkspaceCommands(goTo);
  const further = [...(pauseAll ? [pauseCommand(pauseAll)] : []), ...workspaces];
  const found = useCommands(typed, decided, onHelp, further).slice(0, 12);
  const chosen = Math.min(at, found.length - 1);
  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    command.act();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      setAt((chosen + step + found.length) % Math.max(found.length, 1));
    } else if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      run(found[chosen]);
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      withCloseButton={false}
      padding={0}
      yOffset="12vh"
      centered={false}
      aria-label="Commands"
    >
      <TextInput
        data-autofocus
        size="md"
        variant="unstyled"
        className={classes.ask}
        placeholder="Go to a page, or run a command"
        aria-label="Command"
        role="combobox"
        aria-expanded
        aria-controls="commands"
        aria-activedescendant={found[chosen] && `command-${found[chosen].id}`}
        leftSection={<Icon name="search" />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      <div id="commands" role="listbox" aria-label="Commands" className={classes.commands}>
        {found.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the field above, which names the chosen one
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
          <div
            key={command.id}
            id={`command-${command.id}`}
            role="option"
            aria-selected={index === chosen}
            className={classes.command}
            onClick={() => run(command)}
            onMouseMove={() => setAt(index)}
          >
            <Icon name={command.icon} />
            <span className="grow cut">{command.label}</span>
            <span className="small dim">{command.hint}</span>
          </div>
        ))}
        {found.length === 0 && <p className={`${classes.none} dim`}>Nothing found.</p>}
      </div>
    </Modal>
  );
}

function useWorkspaceCommands(goTo: (workspace: string) => void): Command[] {
  const others = useWorkspaces().filter(({ current }) => !current);
  return others.map(({ id, name }) => ({
    id: `workspace-${id}`,
    label: `Switch to ${name}`,
    hint: "Workspace",
    icon: "arrow-right",
    act: () => goTo(id),
  }));
}

function useCommands(typed: string, decided: ReadonlySet<string>, onHelp: () => void, further: Command[]): Command[] {
  const navigate = useNavigate();
  const { setColorScheme } = useMantineColorScheme();
  const mayStart = useMay("member");
  const [q] = useDebouncedValue(typed.trim(), 200);
  const runs = api.useQuery("get", "/api/runs", { params: { query: { q: q || undefined, limit: 6 } } });
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } });
  const next = api.useQuery("get", "/api/asks", { params: { query: { status: "pending", limit: 10 } } });
  const ask = next.data?.items.find(({ id }) => !decided.has(id));
  const own: Command[] = [
    ...(ask
      ? [
          {
            id: "next",
            label: "Answer the next ask",
            hint: ask.title.slice(0, 40),
            icon: "circle-check" as const,
            act: () => navigate({ to: "/asks/$askId", params: { askId: ask.id } }),
          },
        ]
      : []),
    ...(mayStart
      ? [
          {
            id: "start",
            label: "Start a run",
            icon: "play" as const,
            act: () => navigate({ to: "/runs", search: { start: "any" } }),
          },
        ]
      : []),
    ...PAGES.map(({ to, label, icon }) => ({
      id: `page-${label}`,
      label,
      hint: "Page",
      icon,
      act: () => navigate({ to }),
    })),
    ...further,
    { id: "help", label: "Keyboard help", icon: "keyboard", act: onHelp },
    ...SCHEMES.map(({ value, label, icon }) => ({
      id: value,
      label: `Colours: ${label.toLowerCase()}`,
      icon,
      act: () => setColorScheme(value),
    })),
  ];
  const starts = (agents.data?.items ?? []).map(({ slug, name }) => ({
    id: `agent-${slug}`,
    label: `Start ${name}`,
    hint: "Agent",
    icon: "bot" as const,
    act: () => navigate({ to: "/runs", search: { start: slug } }),
  }));
  const found = (runs.data?.items ?? []).map(({ id, title, agent }) => ({
    id: `run-${id}`,
    label: title,
    hint: agent ?? undefined,
    icon: "activity" as const,
    act: () => navigate({ to: "/runs/$runId", params: { runId: id } }),
  }));
  // The server has searched the runs already, in more than their titles.
  return [...matching([...own, ...(typed && mayStart ? starts : [])], typed), ...found];
}
