import { type PointerEvent, useRef, useState } from "react";
import type { Place } from "../graph/layout";

/** So far goes a finger that only taps. */
const TAP = 6;

/** Drag something by mouse, pen or finger to where it is let go: HTML's own dragging knows no fingers. */
export function useDrag<Dragged>(onDrop: (dragged: Dragged, at: Place) => void) {
  const [over, setOver] = useState<(Place & { dragged: Dragged }) | null>(null);
  const from = useRef<Place | null>(null);
  const moved = useRef(false);
  const stop = () => {
    from.current = null;
    setOver(null);
  };
  const handlers = (dragged: Dragged) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      if (event.button !== 0) return;
      from.current = { x: event.clientX, y: event.clientY };
      moved.current = false;
      event.currentTarget.setPointerCapture(event.pointerId);
    },
    onPointerMove: ({ clientX: x, clientY: y }: PointerEvent) => {
      if (!from.current || (!moved.current && Math.hypot(x - from.current.x, y - from.current.y) < TAP)) return;
      moved.current = true;
      setOver({ dragged, x, y });
    },
    onPointerUp: ({ clientX: x, clientY: y }: PointerEvent) => {
      if (from.current && moved.current) onDrop(dragged, { x, y });
      stop();
    },
    onPointerCancel: stop,
  });
  return {
    /** What is under way, and where. */
    over,
    handlers,
    /** The click that ends a drag is none; one by key, which has no detail, always is. */
    isTap: ({ detail }: { detail: number }) => detail === 0 || !moved.current,
  };
}
