import { Link } from "@tanstack/react-router";
import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { OnlyHere } from "../../../members/OnlyHere";
import { NoMail } from "../../../notifications/NoMail";
import { Outside } from "./guideParts";
import type { StepsProps } from "./LastStep";

export function EmailSteps({ channel }: StepsProps) {
  const { user, standing } = useMe();
  const server = api.useQuery("get", "/api/settings");
  const linksTo = channel?.settings.base_url ?? server.data?.base_url;
  return (
    <>
      <ol>
        <li>Ask your mail provider for the server, port and security of outgoing mail (SMTP).</li>
        <li>
          Make a user name and a password that only Signoff uses. With Gmail or Microsoft 365, that is an app password.
        </li>
        <li>Choose a sender address that this user may send from.</li>
      </ol>
      <p className="small dim">
        Once it works, invitations and sign-in links go by mail, too. Everyone chooses under Notifications whether they
        want mail.
      </p>
      {typeof linksTo === "string" && (
        <OnlyHere
          url={linksTo}
          what="Links in mails open only on this computer."
          then="If only the address in mails is another, enter it under “Another address in links”."
        />
      )}
      {standing !== "root" && (
        <NoMail email={user.email}>
          <Link to="/settings" style={{ textDecoration: "underline" }}>
            Your profile
          </Link>{" "}
          says how to change that.
        </NoMail>
      )}
    </>
  );
}

export function WebhookSteps() {
  return (
    <>
      <ol>
        <li>Write a program that takes a POST with JSON and answers with success within 10 seconds.</li>
        <li>Save its address here. The signing secret is then shown, once.</li>
        <li>
          Check each message with it: any <Outside href="https://www.standardwebhooks.com">Standard Webhooks</Outside>{" "}
          library does that by the headers <code>webhook-id</code>, <code>webhook-timestamp</code> and{" "}
          <code>webhook-signature</code>.
        </li>
        <li>
          Skip a <code>webhook-id</code> that you have seen: what may have been lost is sent again.
        </li>
      </ol>
      <p className="small dim">Events begin when you save: what happened before is not sent.</p>
    </>
  );
}

export function AppriseSteps() {
  return (
    <>
      <ol>
        <li>
          Find your service in <Outside href="https://github.com/caronc/apprise/wiki">Apprise’s list</Outside>.
        </li>
        <li>
          Write its address as described there, such as <code>ntfy://topic</code> or{" "}
          <code>matrixs://user:…@host/#room</code>.
        </li>
        <li>Enter it here.</li>
      </ol>
      <p className="small dim">
        Messages tell what happened and link to Signoff; there are no buttons. The address is stored sealed and never
        shown again.
      </p>
    </>
  );
}

export function PushSteps() {
  return (
    <p className="small">
      Everyone switches it on for their own browsers, under Notifications. Here you can only switch it off for all.
    </p>
  );
}
