import type { Channel, ChannelKind } from "@/api/types";
import type { Field } from "@/ui/setup/setupFields";
import { type Refusal, refusalOf as refusedAt } from "@/ui/setup/setupRefusal";
import { sentOf, type Texts, textsOf, withText } from "@/ui/setup/setupTexts";
import { fieldsOf } from "./channelForms";

export type About = Channel["about"][number];

/** A channel as somebody writes it. */
export interface Draft {
  name: string;
  about: About[];
  texts: Texts;
}

/** What was saved, or where a new one begins. */
export const draftOf = (kind: ChannelKind, name: string, saved?: Channel): Draft => ({
  name: saved?.name ?? name,
  about: saved?.about ?? ["asks", "failures"],
  texts: textsOf(fieldsOf(kind), saved),
});

export const written = (draft: Draft, field: Field, text: string): Draft => ({
  ...draft,
  texts: withText(draft.texts, field, text),
});

/** As the API takes it. */
export const bodyOf = (kind: ChannelKind, draft: Draft, saved?: Channel) => ({
  name: draft.name.trim(),
  about: draft.about,
  ...sentOf(fieldsOf(kind), draft.texts, saved),
});

export const refusalOf = (error: unknown, kind: ChannelKind): Refusal =>
  refusedAt(error, fieldsOf(kind), "channel_name_taken");
