import { expect, it } from "vitest";
import { mailFields, requestFields, rowFields } from "./previewFields";

it("a mail names its recipients and marks those outside of the workspace", () => {
  const to = [
    { address: "ana@house.example", outside: false },
    { address: "eve@away.example", outside: true },
  ];
  expect(mailFields({ from: "me@house.example", to, cc: [], reply_to: null, subject: "Hi", body: "Text" })).toEqual([
    ["From", "me@house.example"],
    ["To", "ana@house.example, eve@away.example (outside of the workspace)"],
    ["Subject", "Hi"],
    ["Text", "Text"],
  ]);
});

it("a request says where its answer is kept", () => {
  const saves = { text: "Overwrites a.csv (1.2 KB)", before: {} };
  expect(requestFields({ headers: {}, body: "", body_cut: false, saves })).toEqual([
    ["Its answer", "Overwrites a.csv (1.2 KB)"],
  ]);
});

it("rows stand beside what they become", () => {
  const detail = {
    statement: "UPDATE a",
    columns: ["id", "state"],
    rows: [[1, "open"]],
    changed: ["state"],
    after: [["sent"]],
  };
  expect(rowFields(detail)).toEqual([
    ["The first rows", [{ id: 1, state: "open", "state, new": "sent" }]],
    ["Statement", "UPDATE a"],
  ]);
  expect(rowFields({ ...detail, rows: [], after: [] })).toEqual([["Statement", "UPDATE a"]]);
});
