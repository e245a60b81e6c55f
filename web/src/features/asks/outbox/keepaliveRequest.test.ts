import { expect, it } from "vitest";
import { keepaliveRequest } from "./keepaliveRequest";

it("what is sent while the page closes fits into the room that a browser has for all of it, in bytes", async () => {
  const kept: boolean[] = [];
  const sendings = ["é".repeat(20_000), "é".repeat(20_000), "short"].map((note) => {
    let done = () => {};
    const answer = new Promise<void>((resolve) => {
      done = resolve;
    });
    const sent = keepaliveRequest({ note }, (keepalive) => {
      kept.push(keepalive);
      return answer;
    });
    return { done, sent };
  });
  expect(kept).toEqual([true, false, true]);
  for (const { done, sent } of sendings) {
    done();
    await sent;
  }
  await keepaliveRequest({ note: "é".repeat(20_000) }, async (keepalive) => kept.push(keepalive));
  expect(kept.at(-1)).toBe(true);
});
