import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { api } from "@/api/client";
import { isProblem } from "@/api/problems";
import { keyOf } from "@/api/queryKeys";
import { needsWords, useMay } from "@/api/roles";
import { Icon } from "@/ui/icons";
import { failed, said } from "@/ui/overlay/toast";
import page from "@/ui/page.module.css";
import { Empty, Failed, Loading } from "@/ui/States";
import { acceptance, type Suggestions as Found, suggestionsKey, useSuggestions } from "../editor/ruleSuggestions";
import { rulesKey } from "../editor/rulesDraft";
import classes from "../rules.module.css";

const TextDiff = lazy(() => import("@/ui/editor/TextDiff"));

/** Rules to accept or to dismiss, each as the change it would make. */
export default function Suggestions() {
  const list = useSuggestions();
  if (list.isPending) return <Loading lines={3} height={90} />;
  if (!list.data)
    return <Failed what="Couldn't load the suggestions" error={list.error} retry={() => list.refetch()} />;
  if (list.data.items.length === 0)
    return (
      <Empty icon="lightbulb" title="No suggestions">
        When people keep approving the same kind of call, or suggest a rule, it appears here.
      </Empty>
    );
  return (
    <div className={classes.suggestions}>
      <p className={page.lead}>{inAll(list.data.items)}</p>
      {list.data.items.map((item) => (
        <One key={item.id} item={item} found={list.data} />
      ))}
    </div>
  );
}

/** What all of them together would have meant. */
function inAll(items: Found["items"]): string {
  const sum = (of: "saved" | "let_through") => items.reduce((total, item) => total + item[of], 0);
  const refused = sum("let_through") || "none";
  return `Together they would have saved ${sum("saved")} asks so far, and let ${refused} through that people denied.`;
}

function One({ item, found }: { item: Found["items"][number]; found: Found }) {
  const { base } = found;
  const admin = useMay("admin");
  const queries = useQueryClient();
  const again = () => queries.invalidateQueries({ queryKey: suggestionsKey });
  const accept = api.useMutation("put", "/api/rules", {
    onSuccess: (saved) => {
      queries.setQueryData(rulesKey, saved);
      queries.invalidateQueries({ queryKey: keyOf("/api/rules/versions") });
      said(`Version ${saved.version} is in use.`);
      return again();
    },
    onError: (error) => {
      failed(isProblem(error, 409) ? new Error("Someone else saved the rules. Review the change again.") : error);
      // Until both are read again, another click would be refused as well.
      return Promise.all([queries.invalidateQueries({ queryKey: rulesKey }), again()]);
    },
  });
  const dismiss = api.useMutation("post", "/api/rules/suggestions/dismiss", { onSuccess: again, onError: failed });
  const { agent, tool } = item;
  return (
    <article className={`card ${page.panel}`} aria-label={item.name}>
      <header className="row wrap">
        <Icon name="lightbulb" size={17} />
        <h2 className="grow">{item.name}</h2>
        <span className="small dim">
          <code>{tool}</code> by {agent}
        </span>
      </header>
      <p>{item.text}</p>
      {item.conditions.length > 0 && <p className="small dim">Only if {item.conditions.join(", ")}.</p>}
      {item.let_through > 0 && (
        <p className={classes.objected}>It would have let {item.let_through} through that people denied.</p>
      )}
      <Suspense fallback={<Loading lines={1} height={120} />}>
        <TextDiff before={base.yaml} after={item.yaml} label={`Change for ${item.name}`} />
      </Suspense>
      {base.file ? (
        <p className="small dim">
          The rules come from the file <code>{base.file}</code>: copy the green lines into it.
        </p>
      ) : admin ? (
        <div className="row" style={{ justifyContent: "flex-end" }}>
          <Button
            variant="default"
            loading={dismiss.isPending}
            disabled={accept.isPending}
            onClick={() => dismiss.mutate({ body: { agent, tool } })}
          >
            Dismiss
          </Button>
          <Button
            loading={accept.isPending}
            disabled={dismiss.isPending}
            onClick={() => accept.mutate({ body: acceptance(found, item) })}
          >
            Accept
          </Button>
        </div>
      ) : (
        <p className="small dim">{needsWords("admin", "accept or dismiss it")}</p>
      )}
    </article>
  );
}
