import type { components } from "@/api/schema";
import type { Connection, ConnectionKind } from "@/api/types";
import { type Refusal, refusalOf as refusedAt } from "@/ui/setup/setupRefusal";
import { sentOf, textsOf } from "@/ui/setup/setupTexts";
import { slugOf } from "../connection/connectionKinds";
import type { Draft } from "./ConnectionForm";
import { FORMS } from "./connectionForms";

export type KnownServer = components["schemas"]["KnownServer"];

/** A new one, with what is known of a well-known server filled in. */
export function newDraft(kind: ConnectionKind, taken: string[], known?: KnownServer): Draft {
  const texts = textsOf(FORMS[kind], known && { settings: known.settings, secrets: [] });
  if (known) texts["secrets.values"] = known.secrets.map((name) => `${name}=`).join("\n");
  const name = known ? freeName(known.name, taken) : "";
  return { name, slug: slugOf(name), texts };
}

function freeName(name: string, taken: string[]): string {
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!taken.includes(slugOf(free))) return free;
  }
}

export const savedDraft = (saved: Connection): Draft => ({
  name: saved.name,
  slug: saved.slug,
  texts: textsOf(FORMS[saved.kind], saved),
});

/** As the API takes it. */
export const bodyOf = (kind: ConnectionKind, draft: Draft, saved?: Connection) => ({
  name: draft.name.trim(),
  ...sentOf(FORMS[kind], draft.texts, saved),
});

export function refusalOf(error: unknown, kind: ConnectionKind): Refusal {
  return refusedAt(error, [...FORMS[kind], { path: "settings.args", label: "" }], "connection_slug_taken");
}
