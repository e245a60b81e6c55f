/** What Slack makes the app from: its rights, and where it sends what people press. */
export function slackManifest(origin: string): string {
  const manifest = {
    display_information: { name: "Signoff", description: "Decide what AI agents may do" },
    features: { bot_user: { display_name: "Signoff", always_online: true } },
    oauth_config: { scopes: { bot: ["chat:write", "im:write", "users:read", "users:read.email"] } },
    settings: {
      interactivity: { is_enabled: true, request_url: `${origin}/hooks/slack` },
      org_deploy_enabled: false,
      socket_mode_enabled: false,
      token_rotation_enabled: false,
    },
  };
  return JSON.stringify(manifest, null, 2);
}
