import { classOf, EMOJI, HIDDEN, numbered } from "../text/deceptiveText";

/** For editors, which show one character at a time. */
export const HIDDEN_ONES = new RegExp(
  `(?![\\u200d\\ufe0f])[${classOf(HIDDEN)}]|(?<![${classOf(EMOJI)}]\\ufe0f?)[\\u200d\\ufe0f]`,
  "gu",
);

/** The same text, line by line, with nothing in it that is hidden. */
export const withNumbers = (text: string): string => text.replaceAll(HIDDEN_ONES, numbered);
