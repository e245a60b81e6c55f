import { Fragment, memo } from "react";
import type { Block, Part, Span } from "./markdown";
import classes from "./prose.module.css";
import { useShowMore } from "./ShowMore";
import { useMarkdown } from "./useMarkdown";

const FIRST_CHARACTERS = 20_000;

/* Parts of a parsed text have no identity but their place. */
/* biome-ignore-start lint/suspicious/noArrayIndexKey: see above */
/** Markdown for reading. */
export const Prose = memo(function Prose({ text }: { text: string }) {
  const { shown, more } = useShowMore(text.length, FIRST_CHARACTERS, "characters");
  const parts = useMarkdown(text.slice(0, shown));
  return (
    <div className={classes.prose}>
      {parts.map((part, index) => (
        <OnePart key={index} part={part} />
      ))}
      {more}
    </div>
  );
});

/** While a text is being written, only its last part changes. */
const OnePart = memo(
  ({ part }: { part: Part }) => <OneBlock block={part.block} />,
  (before, after) => before.part.source === after.part.source && before.part.block.type === after.part.block.type,
);

function Blocks({ blocks }: { blocks: Block[] }) {
  return blocks.map((block, index) => <OneBlock key={index} block={block} />);
}

function OneBlock({ block }: { block: Block }) {
  switch (block.type) {
    case "heading":
      return block.level < 2 ? <h3>{block.spans.map(inner)}</h3> : <h4>{block.spans.map(inner)}</h4>;
    case "paragraph":
      return <p>{block.spans.map(inner)}</p>;
    case "code":
      return (
        <pre>
          {block.info && <div className={classes.info}>{block.info}</div>}
          <code>{block.text}</code>
        </pre>
      );
    case "quote":
      return (
        <blockquote>
          <Blocks blocks={block.blocks} />
        </blockquote>
      );
    case "list":
      return <List {...block} />;
    case "table":
      return <Table {...block} />;
    case "rule":
      return <hr />;
    case "written":
      return <p className={classes.written}>{block.text}</p>;
  }
}

/** A browser would count on from the first number, and what is said of "step 7" must be the seventh here, too. */
function List({ numbers, items }: { numbers: number[] | null; items: Block[][] }) {
  const rows = items.map((blocks, index) => (
    <li key={index} value={index > 0 && numbers?.[index] !== nextOf(numbers, index) ? numbers?.[index] : undefined}>
      <Item blocks={blocks} />
    </li>
  ));
  if (!numbers) return <ul>{rows}</ul>;
  const digits = String(Math.max(...numbers)).length;
  return (
    <ol start={numbers[0]} style={digits > 2 ? { paddingLeft: `calc(${digits}ch + 0.6rem)` } : undefined}>
      {rows}
    </ol>
  );
}

const nextOf = (numbers: number[] | null, index: number): number => (numbers?.[index - 1] ?? 0) + 1;

/** A list item's first paragraph stands in its line. */
function Item({ blocks: [first, ...rest] }: { blocks: Block[] }) {
  if (first?.type !== "paragraph") return <Blocks blocks={first ? [first, ...rest] : rest} />;
  return (
    <>
      {first.spans.map(inner)}
      <Blocks blocks={rest} />
    </>
  );
}

function Table({ head, rows }: { head: Span[][]; rows: Span[][][] }) {
  return (
    <div className={classes.scroll}>
      <table>
        <thead>
          <tr>
            {head.map((cell, index) => (cell.length > 0 ? <th key={index}>{cell.map(inner)}</th> : <td key={index} />))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{cell.map(inner)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function OneSpan({ span }: { span: Span }) {
  switch (span.type) {
    case "text":
      return <Fragment>{span.text}</Fragment>;
    case "code":
      return <code>{span.text}</code>;
    case "strong":
      return <strong>{span.spans.map(inner)}</strong>;
    case "em":
      return <em>{span.spans.map(inner)}</em>;
    case "link":
      return <Anchor {...span} />;
    case "break":
      return <br />;
  }
}

/** Where a link leads is never left to its text. */
function Anchor({ href, title, spans }: { href: string; title: string; spans: Span[] }) {
  const target = plainText(spans) === href ? title : title ? `${href} ${title}` : href;
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {spans.map(inner)}
      </a>
      {target && <span className={classes.target}> ({target})</span>}
    </>
  );
}

const plainText = (spans: Span[]): string =>
  spans.map((span) => ("text" in span ? span.text : "spans" in span ? plainText(span.spans) : "")).join("");

const inner = (span: Span, index: number) => <OneSpan key={index} span={span} />;
/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */
