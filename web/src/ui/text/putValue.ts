import { type Document, isMap, isScalar, isSeq, type Node, type YAMLMap, type YAMLSeq } from "yaml";

/** Put a value under a key, touching no more of what stands there than differs: comments and quotes stay. */
export function putValue(doc: Document, map: YAMLMap, key: string, value: unknown): void {
  if (value === undefined) {
    map.delete(key);
    return;
  }
  const old = map.get(key, true) as Node | undefined;
  const next = reconciled(doc, old, value);
  if (next !== old) map.set(doc.createNode(key), next);
}

function reconciled(doc: Document, old: Node | undefined, value: unknown): Node {
  if (isScalar(old) && Array.isArray(value) && value.length === 1 && isPlain(value[0]))
    return scalar(doc, old, value[0]);
  if (isScalar(old) && isPlain(value)) return scalar(doc, old, value);
  if (isSeq(old) && Array.isArray(value)) return sequence(doc, old, value);
  if (isMap(old) && isPart(value)) {
    for (const key of Object.keys(old.toJS(doc) as object)) if (!(key in value)) old.delete(key);
    for (const [key, each] of Object.entries(value)) putValue(doc, old, key, each);
    return old;
  }
  const made = doc.createNode(value) as Node & { flow?: boolean };
  // What is new inside a rule's own blocks fits into a line.
  if (isSeq(made) || isMap(made)) made.flow = true;
  if (old)
    Object.assign(made, { commentBefore: old.commentBefore, comment: old.comment, spaceBefore: old.spaceBefore });
  return made;
}

function scalar(doc: Document, old: Node & { value: unknown }, value: unknown): Node {
  // Whoever shows a number has it as one, which may have fewer digits.
  if (typeof old.value === "bigint" && typeof value === "number" && Number(old.value) === value) return old;
  if (typeof old.value === typeof value) {
    old.value = value;
    return old;
  }
  const made = doc.createNode(value) as Node;
  return Object.assign(made, { commentBefore: old.commentBefore, comment: old.comment });
}

/** Entries that stay are the very nodes that were there. */
function sequence(doc: Document, old: YAMLSeq, value: unknown[]): Node {
  const left = [...old.items] as Node[];
  const plain = value.every(isPlain);
  old.items = value.map((each, index) => {
    const at = plain ? left.findIndex((node) => isScalar(node) && node.value === each) : -1;
    if (at >= 0) return left.splice(at, 1)[0] as Node;
    return reconciled(doc, plain ? undefined : (old.items[index] as Node | undefined), each);
  });
  return old;
}

const isPlain = (value: unknown): boolean => value === null || typeof value !== "object";
const isPart = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === "object" && !Array.isArray(value);
