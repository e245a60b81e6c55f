import { NativeSelect } from "@mantine/core";
import { type InboxSearch, SORTS, type Sort } from "./inboxSearch";

interface OrderOrWhoseProps {
  search: InboxSearch;
  change: (next: Partial<InboxSearch>) => void;
}

/** The order of what is open; of what is decided, whose decisions. */
export function OrderOrWhose({ search, change }: OrderOrWhoseProps) {
  const common = { size: "xs", ml: "auto" };
  if (search.view === "decided")
    return (
      <NativeSelect
        {...common}
        aria-label="Whose decisions"
        value={search.everyone ? "everyone" : "mine"}
        onChange={({ currentTarget: { value } }) => change({ everyone: value === "everyone" || undefined })}
        data={[
          { value: "mine", label: "Mine" },
          { value: "everyone", label: "Everyone's" },
        ]}
      />
    );
  return (
    <NativeSelect
      {...common}
      aria-label="Order"
      value={search.sort ?? "oldest"}
      onChange={({ currentTarget: { value } }) => change({ sort: value === "oldest" ? undefined : (value as Sort) })}
      data={Object.entries(SORTS).map(([value, label]) => ({ value, label }))}
    />
  );
}
