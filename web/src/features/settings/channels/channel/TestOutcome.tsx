import { api } from "@/api/client";
import { useMe } from "@/api/me";
import { wordsOf } from "@/api/problems";
import type { Channel } from "@/api/types";
import { Icon } from "@/ui/icons";
import classes from "./channel.module.css";
import { arrivalWords } from "./testWords";

/** One message through a channel, now. */
export const useChannelTest = () => api.useMutation("post", "/api/channels/{channel_id}/test");

interface TestOutcomeProps {
  channel: Channel;
  test: ReturnType<typeof useChannelTest>;
}

/** That it arrived, or the exact error. */
export function TestOutcome({ channel, test }: TestOutcomeProps) {
  const me = useMe();
  // A token of the server has no mailbox of its own.
  const own = me.standing === "root" ? String(channel.settings.from) : me.user.email;
  const to = test.variables?.body?.to ?? own;
  const error = test.isError ? wordsOf(test.error) : test.data?.error;
  return (
    <div className={classes.outcome} role="status">
      {error != null && (
        <p className={classes.bad}>
          <Icon name="circle-x" /> {error}
        </p>
      )}
      {test.data?.ok && (
        <p className={classes.good}>
          <Icon name="circle-check" /> {arrivalWords(channel, to)}
        </p>
      )}
    </div>
  );
}
