import { createElement, type ElementType } from "react";
import { needsCare, visibleText } from "../text/deceptiveText";
import { VisibleText } from "../text/VisibleText";

type Props = Record<string, unknown>;

const SHOWN = new Set(["title", "placeholder", "alt", "label", "aria-label", "aria-description", "aria-valuetext"]);
// They hold text and no elements.
const TEXT_ONLY = new Set(["option", "title"]);
// What they hold is not shown, or is what somebody edits.
const LEFT_ALONE = new Set(["style", "script", "textarea"]);

/**
 * The properties of an element, with every text in them such that it cannot show something else than it is.
 *
 * Most of what the app shows was written by agents. One place that everything passes cannot be forgotten, which a
 * component to be used in two hundred places would be; libraries pass here, too, with the texts that they are given.
 */
export function guarded(type: unknown, props: Props): Props {
  const isHost = typeof type === "string";
  if (isHost && LEFT_ALONE.has(type)) return props;
  let safe = props;
  // By name and without lists of them: each element of the app passes here.
  for (const name in props) {
    const value = props[name];
    let shown = value;
    if (name === "children") shown = isHost && TEXT_ONLY.has(type) ? plainly(value) : seen(value);
    else if (isHost && typeof value === "string" && SHOWN.has(name)) shown = visibleText(value);
    if (shown !== value) safe = { ...safe, [name]: shown };
  }
  return safe;
}

function seen(children: unknown, key?: string): unknown {
  if (typeof children === "string")
    return needsCare(children) ? createElement(VisibleText as ElementType, { text: children, key }) : children;
  return Array.isArray(children) ? mapped(children, (child, index) => seen(child, `visible ${index}`)) : children;
}

function plainly(children: unknown): unknown {
  if (typeof children === "string") return visibleText(children);
  return Array.isArray(children) ? mapped(children, plainly) : children;
}

/** The same list where nothing changes. */
function mapped(list: unknown[], change: (item: unknown, index: number) => unknown): unknown[] {
  let copy = list;
  list.forEach((item, index) => {
    const changed = change(item, index);
    if (changed === item) return;
    if (copy === list) copy = [...list];
    copy[index] = changed;
  });
  return copy;
}
