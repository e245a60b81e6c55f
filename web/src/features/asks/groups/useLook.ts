import { useState } from "react";
import { useRead } from "@/ui/overlay/useRead";

export interface Look {
  /** Long enough on screen, and somebody moved in it: one key may decide all of it. */
  done: boolean;
  /** Somebody has yet to move in it. */
  wanted: boolean;
  begin: () => void;
  startAgain: () => void;
}

/** Whether somebody has looked at a table that came by itself, before one key decides all of it. */
export function useLook(cameByItself: boolean, loaded: boolean): Look {
  const [wanted, setWanted] = useState(cameByItself);
  const [again, setAgain] = useState(false);
  const read = useRead(loaded && (cameByItself || again));
  return {
    done: read && !wanted,
    wanted,
    begin: () => setWanted(false),
    startAgain: () => {
      setAgain(true);
      setWanted(true);
    },
  };
}
