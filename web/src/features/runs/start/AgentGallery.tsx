import { NativeSelect, Radio, TextInput } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useState } from "react";
import type { Agent } from "@/api/types";
import { Icon } from "@/ui/icons";
import classes from "../runs.module.css";

interface AgentGalleryProps {
  agents: Agent[];
  chosen: string;
  onChoose: (slug: string) => void;
}

const MANY = 9;

/** Who should do it: cards to choose from, a search when there are many; on a phone one line, as the task matters more. */
export function AgentGallery({ agents, chosen, onChoose }: AgentGalleryProps) {
  const phone = useMediaQuery("(max-width: 47.99em)", false, { getInitialValueInEffect: false });
  const [words, setWords] = useState("");
  const fits = ({ name, title, description, category }: Agent) =>
    [name, title, description, category].join(" ").toLowerCase().includes(words.trim().toLowerCase());
  const shown = agents.filter((agent) => agent.slug === chosen || fits(agent));
  if (phone)
    return (
      <NativeSelect
        label="Agent"
        value={chosen}
        onChange={(event) => onChoose(event.currentTarget.value)}
        data={agents.map(({ slug, name }) => ({ value: slug, label: name }))}
      />
    );
  return (
    <div className="stack" style={{ gap: "0.4rem" }}>
      {agents.length > MANY && (
        <TextInput
          aria-label="Search agents"
          placeholder={`Search in ${agents.length} agents`}
          leftSection={<Icon name="search" size={15} />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      )}
      <Radio.Group aria-label="Agent" value={chosen} onChange={onChoose}>
        <div className={classes.gallery}>
          {shown.map((agent) => (
            <Radio.Card key={agent.slug} value={agent.slug} className={classes.choice} aria-label={agent.name}>
              <Radio.Indicator style={{ flex: "none" }} />
              <span>
                <strong>{agent.name}</strong>
                <span className="small dim">{agent.title || agent.description}</span>
              </span>
            </Radio.Card>
          ))}
        </div>
      </Radio.Group>
    </div>
  );
}
