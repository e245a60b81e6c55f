import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import { addressHere, type PushState, pushState, switchOnPush } from "@/api/push";
import { keyOf } from "@/api/queryKeys";
import type { components } from "@/api/schema";
import { failed } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { Ago } from "@/ui/time/clock";
import classes from "./settings.module.css";

type Subscription = components["schemas"]["SubscriptionOut"];

const WORDS: Record<PushState, string> = {
  on: "This browser tells you what needs you, also when Signoff is closed.",
  off: "Hear what needs you also when Signoff is closed. You can approve and deny right in the notification.",
  blocked: "Your browser blocks notifications. Allow them next to the address, then try again.",
  unavailable:
    "Not possible here. It needs https or localhost, and a browser that has push. On iPhone and iPad, add Signoff to the home screen first.",
};

/** Push: this browser, and the other ones of the same person. */
export function PushSettings() {
  const list = api.useQuery("get", "/api/push/subscriptions", {});
  if (list.isPending) return <Loading lines={2} />;
  if (!list.data) return <Failed what="Couldn't load your browsers" error={list.error} retry={() => list.refetch()} />;
  return <Browsers known={list.data.items} />;
}

function Browsers({ known }: { known: Subscription[] }) {
  const addresses = known.map(({ endpoint }) => endpoint);
  const state = useQuery({
    queryKey: ["push here", addresses],
    queryFn: async () => ({ state: await pushState(addresses), here: await addressHere() }),
  });
  if (!state.data) return <Loading lines={2} />;
  const here = known.find(({ endpoint }) => endpoint === state.data.here);
  return (
    <section className={`card ${page.panel}`} aria-label="Push in this browser">
      <h2>Push in this browser</h2>
      <p className="small">{WORDS[state.data.state]}</p>
      {state.data.state === "on" && here && <Remove browser={here} words="Switch off" />}
      {(state.data.state === "off" || state.data.state === "blocked") && <SwitchOn />}
      {known.length > 0 && (
        <>
          <h3>Your browsers</h3>
          <ul className={classes.browsers}>
            {known.map((each) => (
              <li key={each.id}>
                <span className="grow">
                  {each.device || "A browser"}
                  <span className="dim small">
                    {each === here && " (this one)"}, since <Ago at={each.created_at} />
                  </span>
                </span>
                {each !== here && <Remove browser={each} words="Remove" />}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

function useChanged() {
  const queries = useQueryClient();
  return async () => {
    await queries.invalidateQueries({ queryKey: keyOf("/api/push/subscriptions") });
    await queries.invalidateQueries({ queryKey: ["push here"] });
  };
}

function SwitchOn() {
  const switchOn = useMutation({ mutationFn: switchOnPush, onSettled: useChanged() });
  return (
    <>
      <Button style={{ alignSelf: "flex-start" }} loading={switchOn.isPending} onClick={() => switchOn.mutate()}>
        Switch on push
      </Button>
      {switchOn.isError && (
        <p role="alert" className={classes.bad}>
          {wordsOf(switchOn.error)}
        </p>
      )}
    </>
  );
}

function Remove({ browser, words }: { browser: Subscription; words: string }) {
  const remove = api.useMutation("delete", "/api/push/subscriptions/{subscription_id}", {
    onSuccess: useChanged(),
    onError: failed,
  });
  return (
    <Button
      size="compact-sm"
      variant="default"
      style={{ alignSelf: "flex-start" }}
      aria-label={`${words} ${browser.device || "a browser"}`}
      loading={remove.isPending}
      onClick={() => remove.mutate({ params: { path: { subscription_id: browser.id } } })}
    >
      {words}
    </Button>
  );
}
