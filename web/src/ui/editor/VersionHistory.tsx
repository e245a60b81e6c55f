import { Button, UnstyledButton } from "@mantine/core";
import { lazy, type ReactNode, Suspense, useState } from "react";
import { Loading } from "../States";
import { Ago } from "../time/clock";
import classes from "./versionHistory.module.css";

const TextDiff = lazy(() => import("./TextDiff"));

export interface Version {
  number: number;
  text: string;
  by: string;
  at: string;
  note?: string | null;
}

interface VersionHistoryProps {
  /** What one is called: "Version", "Revision". */
  noun: string;
  /** The newest first. */
  versions: [Version, ...Version[]];
  current: number;
  /** What is said of the current one. */
  currentWords: string;
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** What can be done with the one that is shown. */
  action?: (shown: Version) => ReactNode;
}

/** What was kept of a text, and what each version changed in the one before. */
export function VersionHistory({ noun, versions, current, currentWords, list, action }: VersionHistoryProps) {
  const [chosen, setChosen] = useState<number | null>(null);
  const at = Math.max(
    0,
    versions.findIndex(({ number }) => number === chosen),
  );
  const shown = versions[at] ?? versions[0];
  const before = versions[at + 1];
  const name = `${noun} ${shown.number}`;
  return (
    <div className={classes.history}>
      <div className="card">
        <ul className={classes.versions}>
          {versions.map((each) => (
            <li key={each.number}>
              <UnstyledButton
                className={classes.version}
                aria-pressed={each === shown}
                onClick={() => setChosen(each.number)}
              >
                <span className="row">
                  <strong>
                    {noun} {each.number}
                  </strong>
                  {each.number === current && <span className="tiny dim">{currentWords}</span>}
                </span>
                {each.note && <span className="small">{each.note}</span>}
                <span className="tiny dim" style={{ display: "block" }}>
                  {each.by}, <Ago at={each.at} />
                </span>
              </UnstyledButton>
            </li>
          ))}
        </ul>
        {list.hasNextPage && (
          <Button variant="subtle" fullWidth loading={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
            Older {noun.toLowerCase()}s
          </Button>
        )}
      </div>
      <section className="stack" aria-label={name}>
        <div className="row wrap">
          <h2 className="grow">
            What {noun.toLowerCase()} {shown.number} changed
          </h2>
          {action?.(shown)}
        </div>
        {!before && list.hasNextPage ? (
          // Against nothing, all of it would look new.
          <p className="dim">Load the older {noun.toLowerCase()}s to see it.</p>
        ) : (
          <Suspense fallback={<Loading lines={1} height={240} />}>
            <TextDiff before={before?.text ?? ""} after={shown.text} label={`${name} compared with the one before`} />
          </Suspense>
        )}
      </section>
    </div>
  );
}
