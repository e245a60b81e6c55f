import { Autocomplete, Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { api } from "@/api/client";
import { wordsOf } from "@/api/problems";
import type { Provider } from "@/api/types";
import { Icon } from "@/ui/icons";
import classes from "./models.module.css";

/** One tiny request to a model, and how it went. */
export function TestModel({ provider }: { provider: Provider }) {
  const offered = api.useQuery("get", "/api/models/{provider}", { params: { path: { provider: provider.name } } });
  const models = offered.data?.models ?? provider.examples;
  const [model, setModel] = useState("");
  const chosen = model.trim() || models[0] || "";
  const test = api.useMutation("post", "/api/models/test");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    test.mutate({ body: { model: chosen } });
  };
  return (
    <form className={classes.test} onSubmit={submit}>
      <Autocomplete
        className={classes.model}
        label="Model"
        placeholder={models[0]}
        description={listWords(offered.data)}
        inputWrapperOrder={["label", "input", "description", "error"]}
        value={model}
        onChange={setModel}
        data={models}
        limit={50}
        maxDropdownHeight={260}
      />
      <Button type="submit" variant="default" loading={test.isPending} disabled={!chosen}>
        Test
      </Button>
      <div className={classes.outcome} role="status">
        {test.isError && <p className={classes.bad}>{wordsOf(test.error)}</p>}
        {test.data && !test.isPending && (
          <p className={test.data.works ? classes.good : classes.bad}>
            <Icon name={test.data.works ? "circle-check" : "circle-x"} /> <code>{test.data.model}</code>{" "}
            {test.data.message}
          </p>
        )}
        {test.data?.remedy && !test.isPending && <p className="small">{test.data.remedy}</p>}
      </div>
    </form>
  );
}

function listWords(offered?: { models: string[]; listed: boolean; problem: string | null }): string {
  if (!offered) return "Loading its models…";
  if (offered.listed) return offered.models.length === 1 ? "1 model" : `${offered.models.length} models`;
  if (offered.problem) return `Couldn't list its models. ${offered.problem} You can try any name.`;
  return "You can try any name.";
}
