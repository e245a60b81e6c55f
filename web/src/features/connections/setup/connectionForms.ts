import type { ConnectionKind } from "@/api/types";
import type { Field, Path } from "@/ui/setup/setupFields";

const port = (value: string): { usual: { path: Path; value: string } } => ({
  usual: { path: "settings.port", value },
});
/** How settings name a secret. */
const secret = (name: string): string => `\${${name}}`;
const BY_COMMAND = { path: "settings.transport", is: "stdio" } as const;
const BY_ADDRESS = { path: "settings.transport", is: "http" } as const;
const SECRETS: Field = {
  path: "secrets.values",
  label: "Secrets",
  description: `Stored sealed, and never shown again. Put them in above by ${secret("name")}.`,
  as: "secrets",
};

/** What an admin enters for each kind. */
export const FORMS: Record<ConnectionKind, Field[]> = {
  mcp: [
    {
      path: "settings.transport",
      label: "How it is reached",
      initial: "stdio",
      choices: [
        { value: "stdio", label: "A command on the machine that runs Signoff" },
        { value: "http", label: "A web address" },
      ],
    },
    {
      path: "settings.command",
      label: "Command",
      description: "The program and its arguments, as in a terminal. No shell reads it.",
      placeholder: "npx -y @modelcontextprotocol/server-memory",
      as: "command",
      needed: true,
      when: BY_COMMAND,
    },
    {
      path: "settings.env",
      label: "Environment",
      description: "NAME=value, a line each. It gets nothing of Signoff's own.",
      placeholder: `API_TOKEN=${secret("token")}`,
      as: "pairs",
      when: BY_COMMAND,
    },
    {
      path: "settings.url",
      label: "Address",
      placeholder: "https://mcp.example.org/mcp",
      needed: true,
      when: BY_ADDRESS,
    },
    {
      path: "settings.headers",
      label: "Headers",
      description: "Name: value, a line each.",
      placeholder: `Authorization: Bearer ${secret("token")}`,
      as: "pairs",
      when: BY_ADDRESS,
    },
    {
      path: "settings.auth",
      label: "Sign-in",
      initial: "",
      choices: [
        { value: "", label: "By a token in the headers, or none" },
        { value: "oauth", label: "An admin signs in there (OAuth)" },
      ],
      when: BY_ADDRESS,
    },
    SECRETS,
  ],
  database: [
    {
      path: "settings.url",
      label: "Address",
      description: "A SQLAlchemy URL. Best with an account that may do only what agents need.",
      placeholder: `postgresql://signoff:${secret("password")}@db.example.org/shop`,
      needed: true,
    },
    { path: "secrets.password", label: "Password", as: "secret" },
  ],
  http: [
    {
      path: "settings.base_url",
      label: "Address",
      description: "Agents reach what is below it, and nothing else.",
      placeholder: "https://api.example.org/v1",
      needed: true,
    },
    {
      path: "settings.headers",
      label: "Headers",
      description: "Name: value, a line each.",
      placeholder: `Authorization: Bearer ${secret("token")}`,
      as: "pairs",
    },
    SECRETS,
  ],
  email: [
    { path: "settings.host", label: "Mail server", placeholder: "smtp.example.org", needed: true },
    { path: "settings.from", label: "From", placeholder: "support@example.org", needed: true },
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
  slack: [
    { path: "secrets.bot_token", label: "Bot User OAuth Token", placeholder: "xoxb-…", as: "secret", needed: true },
    {
      path: "settings.channel",
      label: "Channel",
      description: "Where it posts unless the agent names another one.",
      placeholder: "#support",
    },
  ],
};
