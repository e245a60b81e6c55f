import { createContext, type ReactNode } from "react";

/** How a step's open checkpoint is answered right on its node; the page that shows both puts it in. */
export const CheckpointSlot = createContext<((askId: string) => ReactNode) | null>(null);
