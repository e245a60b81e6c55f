/** For the `ref` of what people decide with at the bottom of a page: what floats there stands above it, however high it is. */
export function keepClear(bar: HTMLElement | null): (() => void) | undefined {
  if (!bar) return undefined;
  const { style } = bar.ownerDocument.documentElement;
  const watch = new ResizeObserver(() => style.setProperty("--decision-bar", `${bar.offsetHeight}px`));
  watch.observe(bar);
  return () => {
    watch.disconnect();
    style.removeProperty("--decision-bar");
  };
}
