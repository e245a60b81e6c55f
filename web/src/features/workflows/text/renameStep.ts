import { isMap, isScalar, isSeq, type Node, visit, type YAMLMap } from "yaml";
import { changeText, stepNode, stepsIn } from "./workflowText";

/** Give a step another id; whatever speaks of it follows. */
export const renameStep = (text: string, from: string, to: string): string =>
  changeText(text, (doc, root) => {
    const steps = stepsIn(doc, root);
    const node = stepNode(steps, from);
    if (!node || stepNode(steps, to)) return;
    node.set("id", to);
    for (const step of steps.items.filter(isMap)) {
      const needs = step.get("needs", true) as Node | undefined;
      if (isSeq(needs)) for (const each of needs.items) if (isScalar(each) && each.value === from) each.value = to;
      renamePaths(step, from, to);
    }
    const layout = root.get("layout", true);
    if (isMap(layout) && layout.has(from)) {
      layout.set(to, layout.get(from, true));
      layout.delete(from);
    }
  });

const PATH_KEYS = new Set(["input", "each", "when"]);

function renamePaths(step: YAMLMap, from: string, to: string): void {
  const old = new RegExp(`(?<![\\w.-])steps\\.${from}(?![\\w-])`, "g");
  for (const { key, value } of step.items) {
    if (!isScalar(key) || !PATH_KEYS.has(String(key.value))) continue;
    visit(value as Node, {
      Pair: (_, pair) => (isScalar(pair.key) && pair.key.value === "const" ? visit.SKIP : undefined),
      Scalar: (at, scalar) => {
        if (at !== "key" && typeof scalar.value === "string") scalar.value = scalar.value.replace(old, `steps.${to}`);
      },
    });
  }
}
