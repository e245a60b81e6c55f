import { expect, test } from "vitest";
import { isOdd, MOST_WARNINGS, NO_MORE_WARNINGS, needsCare, pieces, visibleText, warningAbout } from "./deceptiveText";

test.each([
  ["inv\u202etxt.exe", "inv\\u202etxt.exe"],
  ["zero\u200bwidth\ufeff", "zero\\u200bwidth\\ufeff"],
  ["a\u0000b\u001bc\u0085d\u2028e\rf", "a\\u0000b\\u001bc\\u0085d\\u2028e\\u000df"],
  ["soft\u00adhyphen\u034f\u115f\u3164\uffa0\u2800", "soft\\u00adhyphen\\u034f\\u115f\\u3164\\uffa0\\u2800"],
  ["tag\u{e0041} plane\u{f0000} \ue000", "tag\\U000e0041 plane\\U000f0000 \\ue000"],
  ["half \ud800.", "half \\ud800."],
  ["A\ufe0f a\u200db", "A\\ufe0f a\\u200db"],
])("what is hidden in %j is shown by its number", (text, shown) => {
  expect(visibleText(text)).toBe(shown);
  expect(needsCare(text)).toBe(true);
});

test.each([
  "plain",
  "Grüße, “quoted” – 10 €",
  "👩‍👩‍👧 ❤️ 1️⃣ 🏳️‍🌈 👍🏽",
  "two\r\nlines\n\nand\ttabs",
  "日本語 한국어 ไทย Ελληνικά Русский",
  "",
])("%j stays as it is", (text) => {
  expect(visibleText(text)).toBe(text);
  expect(needsCare(text)).toBe(false);
});

test("writing from right to left is kept and isolated", () => {
  expect(isOdd("שלום עולם")).toBe(false);
  expect(needsCare("مرحبا")).toBe(true);
});

test.each([
  [`a${"\n".repeat(300)}b`, "a\n [299 empty lines] \nb"],
  [`${" \n".repeat(5)}b`, " [5 empty lines] \nb"],
  ["a\n\n\nb", "a\n\n\nb"],
  [`a${" ".repeat(60)}b`, "a [60 spaces] b"],
  [`${"\t".repeat(9)}b`, " [9 tabs] b"],
])("a gap is counted: %j", (text, shown) => expect(visibleText(text)).toBe(shown));

test.each([
  ["аррӏе.com", "looks like apple.com but is not: \\u0430\\u0440\\u0440\\u04cf\\u0435.com"],
  ["pаypal.com", "looks like paypal.com but is not: p\\u0430ypal.com"],
  ["billing@аcme.example", "looks like billing@acme.example but is not: billing@\\u0430cme.example"],
  ["apple.com∕evil.com", "looks like apple.com/evil.com but is not: apple.com\\u2215evil.com"],
  ["ｇoogle.com", "looks like google.com but is not: \\uff47oogle.com"],
  ["gooдle.com", "mixed letters: goo\\u0434le.com"],
  [
    "xn--80ak6aa92e.com",
    "looks like apple.com but is not: \\u0430\\u0440\\u0440\\u04cf\\u0435.com, it reads аррӏе.com",
  ],
  ["xn--mller-kva.de", "in other letters, it reads müller.de"],
  ["müller.de", null],
  ["пример.рф", null],
  ["отчёт_final.pdf", null],
  ["例え.jp", null],
  ["example.com", null],
  ["Слово", null],
])("%s is marked: %s", (address, warning) => expect(warningAbout(address)).toBe(warning));

test("a warning stands after the whole address, and no letter of the text is lost", () => {
  const text = "Pay at https://pаypal.com/x?y=1, then write to me@example.com.";
  expect(pieces(text).map(({ as }) => as)).toEqual(["text", "warning", "text"]);
  expect(
    pieces(text)
      .filter(({ as }) => as === "text")
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
  expect(visibleText(text)).toContain("/x?y=1, [looks like paypal.com but is not");
});

test("addresses without a gap share one end", () => {
  const shown = visibleText("p\u0430ypal.com,\u0430pple.com/x g\u043eogle.com");
  expect(shown.replaceAll(/ but is not: [^\]]*/g, "")).toBe(
    "p\u0430ypal.com,\u0430pple.com/x [looks like paypal.com]  [looks like apple.com]  g\u043eogle.com [looks like google.com] ",
  );
});

test.each([",", " ", "\u200b"])(
  "of many addresses that look like others, with %j between, fifty are marked",
  (between) => {
    const text = `\u0430pple.com${between}`.repeat(150_000);
    const shown = pieces(text);
    const warnings = shown.filter(({ as }) => as === "warning");
    expect(warnings).toHaveLength(MOST_WARNINGS + 1);
    expect(warnings.at(-1)?.text).toBe(NO_MORE_WARNINGS);
    expect(
      shown
        .filter(({ as }) => as === "text")
        .map((piece) => piece.text)
        .join(""),
    ).toBe(text.replaceAll("\u200b", ""));
  },
);

test("a long row of hidden characters stays short", () => {
  const shown = pieces(`a${"\u200b".repeat(5000)}b`);
  expect(shown).toHaveLength(11);
  expect(shown.at(-2)).toMatchObject({ as: "hidden", text: "+4992" });
});

test("large texts take no long time", () => {
  for (const text of ["\n ".repeat(200_000), "а.".repeat(100_000), "xn--".repeat(50_000), " \t".repeat(200_000)])
    expect(visibleText(text).length).toBeGreaterThan(0);
});
