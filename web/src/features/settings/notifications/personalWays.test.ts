import { expect, it } from "vitest";
import type { Channel } from "@/api/types";
import { choose, isOffered, isWanted, waysOf } from "./personalWays";

const channel = (kind: Channel["kind"], name: string, more: Partial<Channel> = {}): Channel =>
  ({ kind, name, personal: true, enabled: true, ...more }) as Channel;

const [mail, slack] = waysOf([channel("email", "Mail"), channel("slack", "Chat")]);

it("mail and push are on and others off, unless somebody says otherwise", () => {
  if (!mail || !slack) throw new Error("two ways");
  expect([isWanted(mail, {}), isWanted(slack, {})]).toEqual([true, false]);
  expect([isWanted(mail, { email: false }), isWanted(slack, { Chat: true })]).toEqual([false, true]);
  // As the server reads it: the channel's own name comes first.
  expect(isWanted(mail, { Mail: true, email: false })).toBe(true);
});

it("a choice is kept by its kind, so that a link in a mail can stop mails", () => {
  if (!mail) throw new Error("one way");
  expect(choose(mail, { Mail: true, slack: true }, false)).toEqual({ slack: true, email: false });
});

it("two of one kind are chosen each, two for mail together", () => {
  const keys = (channels: Channel[]) => waysOf(channels).map(({ key }) => key);
  expect(keys([channel("slack", "North"), channel("slack", "South")])).toEqual(["North", "South"]);
  expect(keys([channel("email", "A"), channel("email", "B")])).toEqual(["email"]);
});

it("only what is on and reaches one person is offered", () => {
  const off = channel("slack", "Off", { enabled: false });
  expect(waysOf([off, channel("teams", "Board", { personal: false })])).toEqual([]);
});

it("push for all browsers is offered to who has one, or had switched it off", () => {
  const [push] = waysOf([channel("push", "Browser push")]);
  if (!push || !mail) throw new Error("two ways");
  expect([isOffered(push, {}, 0), isOffered(push, {}, 1), isOffered(push, { push: false }, 0)]).toEqual([
    false,
    true,
    true,
  ]);
  expect(isOffered(mail, {}, 0)).toBe(true);
});
