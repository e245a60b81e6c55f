import type { IconName } from "@/ui/icons";

export type Scheme = "light" | "dark" | "auto";

export const SCHEMES: { value: Scheme; label: string; icon: IconName }[] = [
  { value: "light", label: "Light", icon: "sun" },
  { value: "dark", label: "Dark", icon: "moon" },
  { value: "auto", label: "Same as system", icon: "monitor" },
];
