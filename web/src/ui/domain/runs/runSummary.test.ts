import { expect, test } from "vitest";
import type { Run } from "@/api/types";
import { statusWords } from "./runStatus";
import { clarificationWords, errorDetails, errorWords } from "./runSummary";

const failed = (message: string) => ({ status: "failed", error: { message } }) as unknown as Run;

test("an error is one sentence, without what only a program reads", () => {
  expect(errorWords(failed("The model gpt answered with the error 400: {'code': 17}"))).toBe(
    "The model refused the request.",
  );
  expect(errorWords(failed("The model gpt answered with the error 401: no"))).toBe("The model rejected the API key.");
  expect(errorWords(failed("The model did not answer after 9 tries. Last: timeout"))).toBe(
    "The model did not answer after several tries.",
  );
  expect(errorWords(failed("Signoff itself failed: KeyError: 'x'"))).toBe("Signoff itself failed.");
  expect(errorWords(failed("Step 2 of 3, Call the shop: No answer.\nAt line 3"))).toBe(
    "Step 2 of 3, Call the shop: No answer.",
  );
  expect(errorWords({ status: "failed", error: { code: 17 } } as unknown as Run)).toBe("The run failed.");
});

test("while it tries again it says when", () => {
  const run = failed("The model did not answer: no route. Trying again at 10:12:13 UTC.");
  expect(errorWords({ ...run, status: "running" })).toBe("The model did not answer. Trying again at 10:12:13 UTC.");
});

test("what the engine kept is there in full under the details", () => {
  expect(errorDetails({ error: { message: "It broke", trace: "line 3" } })).toBe("It broke\n\nline 3");
  expect(errorDetails({ error: null })).toBeUndefined();
});

test("a run says how often it asked back, and how often it may", () => {
  expect(clarificationWords({ exchanges: 1, max_exchanges: 4 })).toBe("Asked back once (at most 4)");
  expect(clarificationWords({ exchanges: 2, max_exchanges: 4 })).toBe("Asked back 2 times (at most 4)");
});

test("a run that clarifies its task waits as soon as it asks", () => {
  const clarifying = { status: "clarifying" } as const;
  expect(statusWords({ ...clarifying, open_asks: 0 })).toMatchObject({ label: "Clarifying", tone: "info" });
  expect(statusWords({ ...clarifying, open_asks: 1 })).toMatchObject({ label: "Waiting for an answer", tone: "warn" });
});
