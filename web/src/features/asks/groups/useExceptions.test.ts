// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { expect, it, vi } from "vitest";
import type { Ask, Me } from "@/api/types";
import { decideTogether } from "../outbox/decide";
import { dropTables, putTable, useTable } from "../outbox/tableDrafts";
import { undo } from "../outbox/undo";
import { changeAuthor, outbox } from "../outbox/useOutbox";
import { useExceptions } from "./useExceptions";

const me = { user: { id: "b", email: "bob@x.org" }, workspace: { id: "w" } } as Me;
const asks = ["1", "2", "3"].map((id) => ({ id, digest: id }) as Ask);
let table: ReturnType<typeof useExceptions> & ReturnType<typeof useTable>;

function Table() {
  table = { ...useExceptions("refunds", asks), ...useTable("refunds") };
  return null;
}

it("a batch that is taken back has its exceptions and its order again; until then what is left is an untouched table", async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  vi.useFakeTimers();
  changeAuthor(null);
  const root = createRoot(document.createElement("div"));
  await act(() => root.render(createElement(Table)));
  act(() => {
    putTable("refunds", { order: { key: "amount", down: true } });
    table.toggle("2");
    table.toggle("3");
    table.toggle("3");
  });
  act(() => decideTogether([asks[0] as Ask], { decision: "approve" }, me, { title: "Refund", group: "refunds" }));
  expect(table.exceptions.size).toBe(0);
  await act(async () => {
    for (const outgoing of outbox.all()) await undo(outgoing);
  });
  expect(table.exceptions).toEqual(new Set(["2"]));
  expect(table.order).toEqual({ key: "amount", down: true });
  await act(() => root.unmount());
  dropTables();
  vi.useRealTimers();
});
