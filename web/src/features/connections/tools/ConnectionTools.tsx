import { Button, TextInput } from "@mantine/core";
import { useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { Connection } from "@/api/types";
import { Icon } from "@/ui/icons";
import page from "@/ui/page.module.css";
import { Failed, Loading } from "@/ui/States";
import { useShowMore } from "@/ui/text/ShowMore";
import { useRereadConnections } from "../connection/useConnections";
import { ToolReview } from "./ToolReview";
import classes from "./tools.module.css";

const FIRST = 20;

/** What agents can do through it, and what a person has looked at. */
export function ConnectionTools({ connection }: { connection: Connection }) {
  const { id, kind, listed_at } = connection;
  const path = { params: { path: { connection_id: id } } };
  const reread = useRereadConnections();
  const [words, setWords] = useState("");
  const list = api.useQuery("get", "/api/connections/{connection_id}/tools", path);
  const refresh = api.useMutation("post", "/api/connections/{connection_id}/tools/refresh", { onSettled: reread });
  const all = list.data?.items ?? [];
  const found = all.filter(({ name, description }) => `${name} ${description}`.toLowerCase().includes(words));
  const { shown, more } = useShowMore(found.length, FIRST, "tools");
  return (
    <section className={`card ${page.panel}`} aria-label="Tools">
      <div className="row wrap">
        <h2 className="grow">Tools</h2>
        {kind === "mcp" && (
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="rotate-ccw" size={13} />}
            loading={refresh.isPending}
            onClick={() => refresh.mutate(path)}
          >
            Ask the server again
          </Button>
        )}
      </div>
      {kind === "mcp" && (
        <p className="small dim">
          A tool that nobody has reviewed counts as high risk, whatever its server says of it. So does one that has
          changed since.
        </p>
      )}
      {refresh.isError && <p className={classes.bad}>{wordsOf(refresh.error)}</p>}
      {list.isPending && <Loading lines={4} />}
      {list.isError && <Failed what="Couldn't load the tools" error={list.error} retry={() => list.refetch()} />}
      {list.data && all.length === 0 && (
        <p className="dim">{listed_at ? "Its server has no tools." : "Test it, and its tools are listed here."}</p>
      )}
      {all.length > FIRST && (
        <TextInput
          aria-label="Find a tool"
          placeholder="Find a tool"
          leftSection={<Icon name="search" size={15} />}
          value={words}
          onChange={({ currentTarget }) => setWords(currentTarget.value.toLowerCase())}
        />
      )}
      {found.length > 0 && (
        <ul className={classes.tools}>
          {found.slice(0, shown).map((tool) => (
            <ToolReview key={tool.name} connection={connection} tool={tool} />
          ))}
        </ul>
      )}
      {more}
    </section>
  );
}
