import { createElement, type ElementType, isValidElement } from "react";
import { needsCare, visibleText } from "../letters";
import { Visible } from "../visible";

type Props = Record<string, unknown>;

const SHOWN_ATTRIBUTES = ["title", "placeholder", "alt", "label", "aria-label", "aria-description", "aria-valuetext"];
// They hold text and no elements.
const TEXT_ONLY = new Set<unknown>(["option", "title"]);
// What they hold is not shown, or is what somebody edits.
const LEFT_ALONE = new Set<unknown>(["style", "script", "textarea"]);

/**
 * The properties of an element, with every text in them such that it cannot show something else than it is.
 *
 * Most of what the app shows was written by agents. One place that everything passes cannot be forgotten, which a
 * component to be used in two hundred places would be; libraries pass here, too, with the texts that they are given.
 */
export function guarded(type: unknown, props: Props): Props {
  if (LEFT_ALONE.has(type)) return props;
  const { children } = props;
  const shown = TEXT_ONLY.has(type) ? plainly(children) : seen(children);
  let safe = shown === children ? props : { ...props, children: shown };
  if (typeof type !== "string") return safe;
  for (const name of SHOWN_ATTRIBUTES) {
    const text = props[name];
    if (typeof text === "string" && needsCare(text)) safe = { ...safe, [name]: visibleText(text) };
  }
  return safe;
}

function seen(children: unknown, key?: string): unknown {
  if (typeof children === "string")
    return needsCare(children) ? createElement(Visible as ElementType, { text: children, key }) : children;
  if (!Array.isArray(children)) return children;
  const shown = children.map((child, index) => (isValidElement(child) ? child : seen(child, `visible ${index}`)));
  return shown.some((child, index) => child !== children[index]) ? shown : children;
}

function plainly(children: unknown): unknown {
  if (typeof children === "string") return visibleText(children);
  return Array.isArray(children) ? children.map(plainly) : children;
}
