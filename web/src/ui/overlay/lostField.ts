/** So long somebody may type on into a field that has gone, before they look up. */
const QUIET_MS = 2_000;
/** A key or a click that ends a field does it within this time. */
const OWN_MS = 1_000;

const NEVER = Number.NEGATIVE_INFINITY;

export const isTextField = (place: EventTarget | null): place is HTMLElement =>
  place instanceof HTMLElement &&
  ((place instanceof HTMLInputElement && !["checkbox", "radio", "button"].includes(place.type)) ||
    place.isContentEditable ||
    ["TEXTAREA", "SELECT"].includes(place.tagName));

/**
 * A field that somebody types in can go without their doing: its ask is settled elsewhere, a dialog closes, another page
 * comes. What they type on is then no command, until they click, press Tab or Escape, or have been quiet for a moment.
 */
class LostField {
  private field: HTMLElement | null = null;
  private watch: MutationObserver | undefined;
  /** When the field went, or when something was typed after it. */
  private restlessAt = NEVER;
  /** When somebody last did what ends a field. */
  private endedAt = NEVER;

  /** Hear of every key before whatever takes it. */
  follow(page: Document): () => void {
    this.watch = new MutationObserver(() => this.look());
    const enter = ({ target }: FocusEvent) => this.enter(target);
    const press = () => this.press();
    const type = (event: KeyboardEvent) => this.type(event);
    page.addEventListener("focusin", enter, true);
    page.addEventListener("pointerdown", press, true);
    page.addEventListener("keydown", type, true);
    return () => {
      page.removeEventListener("focusin", enter, true);
      page.removeEventListener("pointerdown", press, true);
      page.removeEventListener("keydown", type, true);
      this.leave();
      this.restlessAt = NEVER;
    };
  }

  /** Whether keys are still meant for a field that has gone. */
  isTypedOn(): boolean {
    this.look();
    return performance.now() - this.restlessAt < QUIET_MS;
  }

  private enter(target: EventTarget | null): void {
    // It may have the focus because the field went.
    this.look();
    this.leave();
    if (!isTextField(target)) return;
    this.field = target;
    this.restlessAt = NEVER;
    const attributeFilter = ["disabled", "hidden", "inert", "contenteditable"];
    this.watch?.observe(target.ownerDocument, { childList: true, subtree: true, attributeFilter });
  }

  private press(): void {
    this.look();
    this.restlessAt = NEVER;
    this.endedAt = performance.now();
  }

  private type(event: KeyboardEvent): void {
    const { key, target } = event;
    if (this.isTypedOn()) {
      const deliberate = key === "Tab" || key === "Escape";
      this.restlessAt = deliberate ? NEVER : performance.now();
      // Nor does it press what got the focus in the field's place.
      if (!deliberate && !isTextField(target)) event.preventDefault();
    }
    this.endedAt = isEnd(event) ? performance.now() : NEVER;
  }

  /** Notice that the field has gone, unless whoever wrote in it has just ended it. */
  private look(): void {
    if (!this.field || isThere(this.field)) return;
    this.leave();
    const now = performance.now();
    if (now - this.endedAt > OWN_MS) this.restlessAt = now;
  }

  private leave(): void {
    this.field = null;
    this.watch?.disconnect();
  }
}

const isThere = (field: HTMLElement): boolean =>
  field.isConnected && !field.matches(":disabled") && isTextField(field) && (field.checkVisibility?.() ?? true);

/** Keys that close or send what somebody writes. In a text of several lines, Enter alone begins the next. */
function isEnd({ key, ctrlKey, metaKey, target }: KeyboardEvent): boolean {
  if (key === "Escape") return true;
  return key === "Enter" && (ctrlKey || metaKey || target instanceof HTMLInputElement);
}

export const lostField = new LostField();
