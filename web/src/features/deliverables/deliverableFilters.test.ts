import { expect, test } from "vitest";
import { nameOf } from "./deliverableFilters";

test("types and statuses are written as people write them", () => {
  expect(["markdown", "csv", "draft", "spreadsheet"].map(nameOf)).toEqual(["Markdown", "CSV", "Draft", "Spreadsheet"]);
});
