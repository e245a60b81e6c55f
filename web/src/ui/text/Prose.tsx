import { Fragment, memo, useMemo } from "react";
import { type Block, parseBlocks, parseSpans, type Span } from "./markdown";
import classes from "./prose.module.css";
import { useShowMore } from "./ShowMore";

const FIRST_CHARACTERS = 20_000;

/** Markdown for reading. */
export const Prose = memo(function Prose({ text }: { text: string }) {
  const { shown, more } = useShowMore(text.length, FIRST_CHARACTERS, "characters");
  const blocks = useMemo(() => parseBlocks(text.slice(0, shown)), [text, shown]);
  return (
    <div className={classes.prose}>
      <Blocks blocks={blocks} />
      {more}
    </div>
  );
});

/* Parts of a parsed text have no identity but their place. */
/* biome-ignore-start lint/suspicious/noArrayIndexKey: see above */
function Blocks({ blocks }: { blocks: Block[] }) {
  return blocks.map((block, index) => <OneBlock key={index} block={block} />);
}

function OneBlock({ block }: { block: Block }) {
  switch (block.type) {
    case "heading":
      return block.level < 2 ? <h3>{spans(block.text)}</h3> : <h4>{spans(block.text)}</h4>;
    case "paragraph":
      return <p>{spans(block.text)}</p>;
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
  }
}

function List({ ordered, start, items }: { ordered: boolean; start: number; items: Block[][] }) {
  const rows = items.map((blocks, index) => (
    <li key={index}>
      <Item blocks={blocks} />
    </li>
  ));
  return ordered ? <ol start={start}>{rows}</ol> : <ul>{rows}</ul>;
}

/** A list item's first paragraph stands in its line. */
function Item({ blocks: [first, ...rest] }: { blocks: Block[] }) {
  if (first?.type !== "paragraph") return <Blocks blocks={first ? [first, ...rest] : rest} />;
  return (
    <>
      {spans(first.text)}
      <Blocks blocks={rest} />
    </>
  );
}

function Table({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    <div className={classes.scroll}>
      <table>
        <thead>
          <tr>{head.map((cell, index) => (cell ? <th key={index}>{spans(cell)}</th> : <td key={index} />))}</tr>
        </thead>
        <tbody>
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{spans(cell)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const spans = (text: string) => parseSpans(text).map((span, index) => <OneSpan key={index} span={span} />);

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
  }
}

/** Where a link leads is never left to its text. */
function Anchor({ href, spans }: { href: string; spans: Span[] }) {
  return (
    <>
      <a href={href} target="_blank" rel="noopener noreferrer nofollow">
        {spans.map(inner)}
      </a>
      {plainText(spans) !== href && <span className={classes.target}> ({href})</span>}
    </>
  );
}

const plainText = (spans: Span[]): string =>
  spans.map((span) => ("text" in span ? span.text : plainText(span.spans))).join("");

const inner = (span: Span, index: number) => <OneSpan key={index} span={span} />;
/* biome-ignore-end lint/suspicious/noArrayIndexKey: see above */
