/** Whether somebody writes here; a field that only has the focus does not count, an editor was opened to write. */
export function isTypingIn(field: Element | null): boolean {
  if (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) return field.value !== "";
  return field?.closest('[contenteditable="true"]') != null;
}

/** Whether somebody has begun to decide this ask where the page shows it. */
export const isDecidingIn = (field: Element | null, askId: string): boolean =>
  field?.closest("[data-ask]")?.getAttribute("data-ask") === askId;
