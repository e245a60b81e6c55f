import { CopyableText, OnlyPublic, Outside } from "./guideParts";
import { DiscordLastStep, type StepsProps, TelegramLastStep } from "./LastStep";
import { slackManifest } from "./slackManifest";

export function SlackSteps() {
  return (
    <>
      <ol>
        <li>
          Open <Outside href="https://api.slack.com/apps">api.slack.com/apps</Outside>, click <b>Create New App</b>,{" "}
          <b>From a manifest</b>, and choose your workspace.
        </li>
        <li>
          Paste this manifest as JSON:
          <CopyableText text={slackManifest(location.origin)} />
          <OnlyPublic service="Slack" />
        </li>
        <li>
          Click <b>Install to Workspace</b>. Under <b>OAuth &amp; Permissions</b>, copy the <b>Bot User OAuth Token</b>.
        </li>
        <li>
          Under <b>Basic Information</b>, copy the <b>Signing Secret</b>.
        </li>
        <li>
          In the channel that it should post to, write <code>/invite @Signoff</code>.
        </li>
      </ol>
      <p className="small dim">People decide in Slack if their address there is the one that they have here.</p>
    </>
  );
}

export function TeamsSteps() {
  return (
    <>
      <ol>
        <li>
          Next to the channel that it should post to, open <b>⋯</b> and <b>Workflows</b>.
        </li>
        <li>
          Choose <b>Send webhook alerts to a channel</b>. In older versions it is called{" "}
          <b>Post to a channel when a webhook request is received</b>.
        </li>
        <li>Sign in, check team and channel, and save.</li>
        <li>Copy the URL that is shown, and enter it here.</li>
      </ol>
      <p className="small dim">
        Whoever has this URL can post to the channel, so it is stored sealed and never shown again.
      </p>
      <h3>To take answers as well</h3>
      <ol>
        <li>
          Under <b>Manage team</b>, <b>Apps</b>, click <b>Create an outgoing webhook</b>.
        </li>
        <li>
          Its callback URL is
          <CopyableText text={`${location.origin}/hooks/teams`} />
          <OnlyPublic service="Teams" />
        </li>
        <li>Copy the security token that is shown once, and enter it here.</li>
      </ol>
    </>
  );
}

export function DiscordSteps({ channel }: StepsProps) {
  return (
    <>
      <ol>
        <li>
          Open <Outside href="https://discord.com/developers/applications">discord.com/developers/applications</Outside>{" "}
          and click <b>New Application</b>. Copy its <b>Application ID</b> and <b>Public Key</b>.
        </li>
        <li>
          Under <b>Bot</b>, click <b>Reset Token</b> and copy the token. Switch <b>Public Bot</b> off.
        </li>
        <li>
          Under <b>OAuth2</b>, <b>URL Generator</b>, choose the scope <code>bot</code> and the permissions{" "}
          <b>View Channels</b>, <b>Send Messages</b> and <b>Embed Links</b>. Open the URL and choose your server.
        </li>
        <li>
          In Discord, switch on <b>Developer Mode</b> under <b>Advanced</b>. Right-click the channel that it should post
          to, and click <b>Copy Channel ID</b>.
        </li>
        <li>{channel ? <DiscordLastStep channel={channel} /> : "Save here. Then you see the last step."}</li>
      </ol>
      <p className="small dim">Everyone who wants to decide there links their account once, under Notifications.</p>
    </>
  );
}

export function TelegramSteps({ channel }: StepsProps) {
  return (
    <>
      <ol>
        <li>
          In Telegram, write <code>/newbot</code> to <Outside href="https://t.me/BotFather">@BotFather</Outside>, and
          copy the token that it gives you.
        </li>
        <li>
          For a group or channel that many read, add the bot to it. Its id is <code>message.chat.id</code> in the bot’s{" "}
          <code>getUpdates</code>. A public one goes by <code>@name</code>.
        </li>
        <li>{channel ? <TelegramLastStep channel={channel} /> : "Save here. Then you see the last step."}</li>
      </ol>
      <p className="small dim">
        Everyone who wants to decide there or to be written to links their account once, under Notifications.
      </p>
    </>
  );
}
