/**
 * In place of the packages that markdown-it brings for what we do not use: letters by name, addresses found in text and
 * rewritten. They are more than half of its size.
 */
export const decodeHTMLStrict = (name: string): string => name;
export class LinkifyIt {}
export const P = /\p{P}/u;
export const S = /\p{S}/u;
export default {};
