import { describe, expect, it } from "vitest";
import { grantsGiven, withGrant, withoutGrant } from "./grants";

const NEEDED = [{ connection: "crm", tools: ["find"] }];

describe("what a run is granted at its start", () => {
  it("is left to its agent while nobody chose anything", () => {
    expect(grantsGiven(NEEDED, {}, ["mail"])).toBeNull();
  });

  it("is what the agent needs, and what was chosen with some of its tools or all", () => {
    const chosen = withGrant(withGrant({}, "mail", []), "files", ["read_file"]);
    expect(grantsGiven(NEEDED, chosen, ["mail", "files"])).toEqual([
      { connection: "crm", tools: ["find"] },
      { connection: "mail", tools: null },
      { connection: "files", tools: ["read_file"] },
    ]);
  });

  it("is nothing that is not offered beside this agent's own", () => {
    expect(grantsGiven(NEEDED, { crm: [] }, ["mail"])).toBeNull();
  });

  it("is no more what was taken back", () => {
    expect(withoutGrant({ mail: [], files: [] }, "mail")).toEqual({ files: [] });
  });
});
