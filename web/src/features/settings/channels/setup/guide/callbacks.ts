const INSIDE = /^(localhost$|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[)|\.(local|localhost|internal|test)$/;

/** Whether services outside can call this address: it is encrypted, and no name of one's own network. */
export function isPublic(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === "https:" && !INSIDE.test(hostname);
}

export const discordEndpoint = (origin: string, channelId: string): string => `${origin}/hooks/discord/${channelId}`;

/** What makes Telegram report to a channel. The bot's token is left to whoever runs it. */
export const telegramCommand = (origin: string, channelId: string, secret = "SECRET"): string =>
  [
    "curl https://api.telegram.org/botTOKEN/setWebhook",
    `-d url=${origin}/hooks/telegram/${channelId}`,
    `-d secret_token=${secret}`,
    `-d 'allowed_updates=["message","callback_query"]'`,
  ].join(" \\\n  ");
