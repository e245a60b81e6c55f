import type { ChannelKind } from "@/api/types";
import type { Field, Fold, Path } from "@/ui/setup/setupFields";

interface ChannelForm {
  fields: Field[];
  folds?: Fold[];
  /** It posts to a place that many read. */
  shared?: boolean;
}

const port = (value: string, path: Path = "settings.port") => ({ usual: { path, value } });
const MAILBOX = "settings.replies.username";

/** What an admin enters for each kind. */
export const FORMS: Record<ChannelKind, ChannelForm> = {
  email: {
    fields: [
      { path: "settings.host", label: "Mail server", placeholder: "smtp.example.org", needed: true },
      { path: "settings.from", label: "From", placeholder: "signoff@example.org", needed: true },
      {
        path: "settings.security",
        label: "Security",
        initial: "starttls",
        choices: [
          { value: "starttls", label: "STARTTLS (usual)", ...port("587") },
          { value: "tls", label: "TLS", ...port("465") },
          { value: "none", label: "None: readable on the way", ...port("25") },
        ],
      },
      { path: "settings.port", label: "Port", as: "number", initial: "587" },
      { path: "settings.username", label: "User name", description: "Empty if the server asks for none." },
      { path: "secrets.password", label: "Password", as: "secret", belongsTo: "settings.username" },
    ],
    folds: [
      {
        title: "Another address in links",
        description: "If people reach Signoff at another address than the server knows.",
        fields: [
          { path: "settings.base_url", label: "Address of Signoff", placeholder: "https://signoff.example.org" },
        ],
      },
      {
        title: "Answers by reply",
        description:
          "People answer questions by replying to the mail. This needs a mailbox that Signoff alone reads, on a mail server that checks who sent a mail.",
        fields: [
          {
            path: "settings.replies.address",
            label: "Address for replies",
            description: "Mail to replies+anything@… must arrive in this mailbox.",
            placeholder: "replies@example.org",
          },
          { path: "settings.replies.host", label: "IMAP server", placeholder: "imap.example.org" },
          {
            path: "settings.replies.security",
            label: "Security of the mailbox",
            initial: "tls",
            choices: [
              { value: "tls", label: "TLS (usual)", ...port("993", "settings.replies.port") },
              { value: "none", label: "None: readable on the way", ...port("143", "settings.replies.port") },
            ],
          },
          { path: "settings.replies.port", label: "Port of the mailbox", as: "number", initial: "993" },
          { path: MAILBOX, label: "User name of the mailbox" },
          { path: "secrets.mailbox_password", label: "Password of the mailbox", as: "secret", belongsTo: MAILBOX },
          {
            path: "settings.replies.authserv_id",
            label: "Name in Authentication-Results",
            description: "How your mail server calls itself there. It is the first word of that header in any mail.",
            placeholder: "mx.example.org",
          },
        ],
      },
    ],
  },
  slack: {
    shared: true,
    fields: [
      { path: "secrets.bot_token", label: "Bot User OAuth Token", placeholder: "xoxb-…", as: "secret", needed: true },
      { path: "secrets.signing_secret", label: "Signing Secret", as: "secret", needed: true },
      {
        path: "settings.channel",
        label: "Channel",
        description: "Its name or id. The app must be a member of it.",
        placeholder: "#approvals",
        needed: true,
      },
    ],
  },
  teams: {
    shared: true,
    fields: [
      { path: "settings.webhook_url", label: "Webhook URL", placeholder: "https://…", as: "address", needed: true },
    ],
    folds: [
      {
        title: "Answers from Teams",
        description: "People decide by writing to an outgoing webhook, once they have linked their account.",
        fields: [
          { path: "settings.inbound", label: "Take answers from Teams", as: "yes" },
          { path: "secrets.hmac_secret", label: "Security token", as: "secret", belongsTo: "settings.inbound" },
        ],
      },
    ],
  },
  discord: {
    shared: true,
    fields: [
      { path: "settings.application_id", label: "Application ID", shape: "Only digits.", needed: true },
      {
        path: "settings.public_key",
        label: "Public Key",
        shape: "64 characters, each a digit or a letter from a to f.",
        needed: true,
      },
      { path: "secrets.bot_token", label: "Token of the bot", as: "secret", needed: true },
      {
        path: "settings.channel_id",
        label: "Channel ID",
        description: "Where it posts.",
        shape: "Only digits.",
        needed: true,
      },
    ],
  },
  telegram: {
    shared: true,
    fields: [
      { path: "secrets.bot_token", label: "Token of the bot", placeholder: "123456:…", as: "secret", needed: true },
      {
        path: "settings.chat_id",
        label: "Group or channel",
        description: "Its id or @name. Empty: it only writes to people directly.",
        placeholder: "-1001234567890",
        shape: "Digits, often with a minus before them, or @ and a name.",
      },
      {
        path: "secrets.webhook_secret",
        label: "Secret for the way back",
        description: "Made up for you. What Telegram reports must carry it.",
        as: "secret",
        needed: true,
        madeUp: true,
      },
    ],
    folds: [
      {
        title: "A Bot API server of your own",
        description: "If you don’t use Telegram’s.",
        fields: [{ path: "settings.api_url", label: "Address of the Bot API", placeholder: "https://…" }],
      },
    ],
  },
  webhook: {
    fields: [
      { path: "settings.url", label: "Address", placeholder: "https://example.org/signoff", needed: true },
      { path: "settings.events", label: "Events", as: "events" },
    ],
  },
  apprise: {
    shared: true,
    fields: [{ path: "settings.url", label: "Apprise address", placeholder: "ntfy://…", as: "address", needed: true }],
  },
  push: { fields: [] },
};

/** All of a kind's fields, those that are folded away included. */
export const fieldsOf = (kind: ChannelKind): Field[] => [
  ...FORMS[kind].fields,
  ...(FORMS[kind].folds ?? []).flatMap(({ fields }) => fields),
];
