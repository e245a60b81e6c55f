import { NativeSelect } from "@mantine/core";
import { label } from "@/ui/values/valueFormat";
import type { Column, Order } from "./columns";
import classes from "./groups.module.css";

interface SortChoiceProps {
  columns: Column[];
  order: Order | null;
  /** Whether rows can be left out. */
  ticks: boolean;
  onOrder: (order: Order | null) => void;
}

/** What the head of the table says and does, where there is no room for one. */
export function SortChoice({ columns, order, ticks, onOrder }: SortChoiceProps) {
  const choices = columns.flatMap((column) => [choice(column, true), choice(column, false)]);
  return (
    <div className={classes.phoneHead}>
      {ticks && <p className="small">Tick what you want to leave out.</p>}
      <NativeSelect
        size="xs"
        aria-label="Sort"
        value={order ? orderValue(order) : ""}
        data={[
          { value: "", label: "Sort: oldest first" },
          ...choices.map(({ value, text }) => ({ value, label: text })),
        ]}
        onChange={({ currentTarget }) => {
          const chosen = choices.find(({ value }) => value === currentTarget.value);
          onOrder(chosen?.order ?? null);
        }}
      />
    </div>
  );
}

function choice({ key, label: name }: Column, down: boolean) {
  const order = { key, down };
  return { order, value: orderValue(order), text: `Sort: ${label(name)} ${down ? "↓" : "↑"}` };
}

const orderValue = ({ key, down }: Order): string => `${down ? "down" : "up"} ${key}`;
