import { expect, it } from "vitest";
import { Problem } from "@/api/problems";
import type { Channel } from "@/api/types";
import type { Path } from "@/ui/setup/setupFields";
import { bodyOf, type Draft, draftOf, refusalOf, written } from "./channelDraft";
import { fieldsOf } from "./channelForms";

const MAIL = { host: "smtp.example.org", port: 587, security: "starttls", from: "signoff@example.org" };
const saved = (fields: Partial<Channel>): Channel =>
  ({ name: "Mail", about: ["asks"], secrets: [], ...fields }) as Channel;
const typed = (draft: Draft, texts: Draft["texts"]): Draft => ({ ...draft, texts: { ...draft.texts, ...texts } });

it("what was saved comes back as it was", () => {
  const replies = {
    host: "imap.example.org",
    port: 993,
    security: "tls",
    username: "u",
    address: "a@b.c",
    authserv_id: "b.c",
  };
  const channel = saved({ kind: "email", settings: { ...MAIL, username: "ada", replies }, secrets: ["password"] });
  const body = bodyOf("email", draftOf("email", "", channel), channel);
  expect(body).toEqual({ name: "Mail", about: ["asks"], settings: { ...MAIL, username: "ada", replies }, secrets: {} });
});

it("what has no field here stays", () => {
  const channel = saved({ kind: "slack", settings: { channel: "#old", api_url: "http://localhost" } });
  const draft = typed(draftOf("slack", "", channel), { "settings.channel": "#new" });
  expect(bodyOf("slack", draft, channel).settings).toEqual({ channel: "#new", api_url: "http://localhost" });
});

it("an empty field is left out, and a mailbox of which nothing is given, too", () => {
  const draft = typed(draftOf("email", "Mail"), { "settings.host": " smtp.example.org " });
  expect(bodyOf("email", draft).settings).toEqual({ host: "smtp.example.org", port: 587, security: "starttls" });
  const begun = bodyOf("email", typed(draft, { "settings.replies.address": "a@b.c" }));
  expect(begun.settings.replies).toEqual({ address: "a@b.c", port: 993, security: "tls" });
});

it("a secret is kept unless it is written anew, or what it belongs to is gone", () => {
  const channel = saved({ kind: "email", settings: { ...MAIL, username: "ada" }, secrets: ["password"] });
  const draft = draftOf("email", "", channel);
  expect(bodyOf("email", draft, channel).secrets).toEqual({});
  expect(bodyOf("email", typed(draft, { "secrets.password": "new" }), channel).secrets).toEqual({ password: "new" });
  expect(bodyOf("email", typed(draft, { "settings.username": "" }), channel).secrets).toEqual({ password: "" });
});

it("an address that is a secret is sent back as it was shown, unless it is written anew", () => {
  const channel = saved({ kind: "teams", settings: { webhook_url: "https://example.org/…" } });
  const draft = draftOf("teams", "", channel);
  expect(draft.texts["settings.webhook_url"]).toBe("");
  expect(bodyOf("teams", draft, channel).settings).toEqual({ webhook_url: "https://example.org/…" });
});

it("what is yes or no is sent as that, and no is left out", () => {
  const channel = saved({ kind: "teams", settings: { webhook_url: "https://example.org/…", inbound: false } });
  const draft = draftOf("teams", "", channel);
  expect(bodyOf("teams", draft, channel).settings).not.toHaveProperty("inbound");
  expect(bodyOf("teams", typed(draft, { "settings.inbound": "true" }), channel).settings.inbound).toBe(true);
});

it("the usual port comes with the security, one of your own stays", () => {
  const security = fieldsOf("email").find(({ path }) => path === "settings.security");
  if (!security) throw new Error("mail has no security");
  const portAfter = (port: string) =>
    written(typed(draftOf("email", "Mail"), { "settings.port": port }), security, "tls").texts["settings.port"];
  expect([portAfter("587"), portAfter("2525")]).toEqual(["465", "2525"]);
});

it("what the API refuses stands at its field", () => {
  const errors = [
    { path: "settings.from", message: "must be an address such as signoff@example.org" },
    { path: "settings.host", message: "is missing" },
    { path: "settings.replies.host", message: "is missing" },
  ];
  const { at, other } = refusalOf(new Problem(422, "This channel is not complete.", "invalid", errors), "email");
  expect(at).toEqual({
    "settings.from": "Must be an address such as signoff@example.org.",
    "settings.host": "Fill this in.",
    "settings.replies.host": "Fill this in.",
  } satisfies Partial<Record<Path, string>>);
  expect(other).toBeNull();
});

it("nobody has to read a pattern", () => {
  const errors = [{ path: "settings.channel_id", message: "String should match pattern '^\\d{1,20}$'" }];
  const refused = refusalOf(new Problem(422, "This channel is not complete.", "invalid", errors), "discord");
  expect(refused.at["settings.channel_id"]).toBe("Only digits.");
});

it("what belongs to no field is said in whole", () => {
  expect(refusalOf(new Problem(409, "There is already one.", "channel_name_taken"), "slack").at.name).toBeTruthy();
  expect(refusalOf(new Problem(403, "Only an installation admin can do this."), "apprise").other).toContain("Only an");
  const unknown = new Problem(422, "Not complete.", "invalid", [{ path: "settings.colour", message: "not known" }]);
  expect(refusalOf(unknown, "slack").other).toContain("settings.colour");
});
