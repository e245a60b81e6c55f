/** The words of the API, as the app uses them. Made from OpenAPI: `python hatch_build.py --openapi`. */
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Me = Schemas["Me"];
export type Ask = Schemas["AskOut"];
export type AskGroup = Schemas["AskGroup"];
export type Comment = Schemas["CommentOut"];
export type Run = Schemas["RunOut"];
export type Call = Schemas["CallOut"];
export type EffectPreview = Schemas["EffectPreview"];
export type UndoSincePreview = Schemas["UndoSincePreview"];
export type Message = Schemas["MessageOut"];
export type Deliverable = Schemas["DeliverableOut"];
export type UploadList = Schemas["UploadList"];
export type RunFile = Schemas["FileOut"];
export type Agent = Schemas["AgentOut"];
export type Provider = Schemas["ProviderOut"];
export type Answer = Schemas["AnswerIn"];
export type Notice = Schemas["NotificationOut"];
export type Channel = Schemas["ChannelOut"];
export type ChannelKind = Channel["kind"];
export type Connection = Schemas["ConnectionOut"];
export type NeededConnection = Schemas["NeededConnection"];
export type ConnectionKind = Connection["kind"];
export type ConnectionTool = Schemas["ConnectionToolOut"];
export type Schedule = Schemas["ScheduleOut"];
export type ScheduleIn = Schemas["ScheduleIn"];
export type Delivery = Schemas["DeliveryOut"];
export type Change = Schemas["Change"];
export type Autonomy = NonNullable<Schemas["RunIn"]["autonomy"]>;

/** Names with values, as tools take them. */
export type Values = Record<string, unknown>;

/** A page of a list. */
export interface Page<T> {
  items: T[];
  next_cursor?: string | null;
  total: number;
}
