import classes from "./knowledge.module.css";
import { type Hit, snippetParts } from "./snippetParts";

interface SnippetProps {
  text: string;
  hits: Hit[];
}

/** A piece of a document with the words that were looked for. */
export function Snippet({ text, hits }: SnippetProps) {
  return (
    <p className={classes.snippet}>
      {snippetParts(text, hits).map(({ at, part, hit }) =>
        hit ? <mark key={at}>{part}</mark> : <span key={at}>{part}</span>,
      )}
    </p>
  );
}
