import { Button } from "@mantine/core";
import { useState } from "react";
import classes from "../values/values.module.css";
import { Prose } from "./Prose";
import { useShowMore } from "./ShowMore";

const FIRST_CHARACTERS = 10_000;

interface LongTextProps {
  text: string;
  as: "markdown" | "plain" | "code";
}

/** Text of any length, in a box that scrolls. What is formatted can always be read letter by letter. */
export function LongText({ text, as }: LongTextProps) {
  const [asWritten, setAsWritten] = useState(false);
  const { shown, more } = useShowMore(text.length, FIRST_CHARACTERS, "characters");
  const formatted = as === "markdown" && !asWritten;
  return (
    <div className={classes.long}>
      {as === "code" ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <pre className={classes.json} tabIndex={0}>
          {text.slice(0, shown)}
        </pre>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <section className={classes.text} tabIndex={0} aria-label="Text">
          {formatted ? <Prose text={text} /> : <div className={classes.plain}>{text.slice(0, shown)}</div>}
        </section>
      )}
      {!formatted && more}
      {as === "markdown" && (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          style={{ alignSelf: "flex-end" }}
          onClick={() => setAsWritten(!asWritten)}
        >
          {asWritten ? "Show formatted" : "Show as written"}
        </Button>
      )}
    </div>
  );
}
