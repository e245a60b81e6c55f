import { UnstyledButton } from "@mantine/core";
import { useState } from "react";
import { useMay } from "@/api/roles";
import type { Provider } from "@/api/types";
import { CopyButton } from "@/ui/CopyButton";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Tag } from "@/ui/Tag";
import classes from "./models.module.css";
import { ABOUT, setupLines, stateWords, WAYS } from "./providerWords";
import { TestModel } from "./TestModel";

/** One provider: what was found of it, a test, and how to connect it. */
export function ProviderCard({ provider }: { provider: Provider }) {
  const admin = useMay("admin");
  const { label, tone } = stateWords(provider);
  const lines = setupLines(provider);
  const [open, setOpen] = useState(provider.state === "missing");
  const about = ABOUT[provider.name];
  return (
    <section className={`card ${page.panel}`} aria-label={provider.label}>
      <header className="row wrap">
        <h2 className="grow">{provider.label}</h2>
        <Tag tone={tone}>{label}</Tag>
      </header>
      {about && <p className="small dim">{about}</p>}
      {WAYS[provider.name]?.map(({ prefix, means }) => (
        <p key={prefix} className="small dim">
          <code>{prefix}</code> {means}
        </p>
      ))}
      {admin && provider.name !== "demo" && provider.state !== "missing" && <TestModel provider={provider} />}
      {lines.length > 0 && (
        <div>
          <UnstyledButton className={classes.fold} aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name="chevron-right" size={14} /> How to connect
          </UnstyledButton>
          {open && (
            <div className={classes.ways}>
              {lines.map(({ label: way, text }) => (
                <div key={way} className={classes.way}>
                  <span className="small dim">{way}, where you start Signoff:</span>
                  <div className={classes.command}>
                    <pre>{text}</pre>
                    <CopyButton text={() => text} size="compact-sm" />
                  </div>
                </div>
              ))}
            </div>
          )}
        </div>
      )}
    </section>
  );
}
