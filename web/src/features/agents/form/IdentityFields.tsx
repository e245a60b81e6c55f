import { Autocomplete, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { api } from "@/api/client";
import page from "@/ui/page.module.css";
import classes from "../agents.module.css";
import type { PartProps } from "./AgentForm";
import { type Form, slugFrom } from "./agentDefinition";
import { ModelField } from "./ModelField";

const STATUSES = [
  { value: "active", label: "Active" },
  { value: "beta", label: "Beta" },
  { value: "deprecated", label: "Deprecated: not offered for new runs" },
];

/** Who it is, and what it thinks with. */
export function IdentityFields({ form, set, problems, isNew }: PartProps & { isNew: boolean }) {
  const agents = api.useQuery("get", "/api/agents", { params: { query: { limit: 200 } } }).data?.items ?? [];
  const categories = [...new Set(agents.map(({ category }) => category).filter((each) => each))].sort() as string[];
  const text = (name: keyof Form) => ({
    value: String(form[name]),
    error: problems[name],
    onChange: (event: { currentTarget: { value: string } }) => set({ [name]: event.currentTarget.value }),
  });
  const rename = (name: string) =>
    set({ name, ...(isNew && form.slug === slugFrom(form.name) && { slug: slugFrom(name) }) });
  return (
    <section className={`card ${page.panel}`} aria-label="Who it is">
      <h2>Who it is</h2>
      <div className={classes.grid}>
        <TextInput
          label="Name"
          {...text("name")}
          required
          withAsterisk={false}
          onChange={(event) => rename(event.currentTarget.value)}
        />
        {isNew ? (
          <TextInput
            label="Slug"
            description="Used in links and rules. Can't be changed later."
            {...text("slug")}
            required
            withAsterisk={false}
          />
        ) : (
          <NativeSelect
            label="Status"
            value={form.status}
            onChange={(event) => set({ status: event.currentTarget.value as Form["status"] })}
            data={STATUSES}
          />
        )}
        <TextInput label="Title" placeholder="Market researcher" {...text("title")} />
        <Autocomplete
          label="Category"
          value={form.category}
          onChange={(category) => set({ category })}
          data={categories}
        />
      </div>
      <Textarea
        label="Description"
        placeholder="What people read before they choose this agent"
        autosize
        minRows={2}
        {...text("description")}
      />
      <ModelField form={form} set={set} problems={problems} agents={agents} />
    </section>
  );
}
