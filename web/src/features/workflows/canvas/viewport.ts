import type { Viewport } from "@xyflow/react";
import { HEIGHT, type Place, WIDTH } from "../graph/layout";

const MARGIN = 8;

/** The view moved as little as shows these steps, with its zoom; or nothing, where they are too far apart for it. */
export function viewOf(
  places: Place[],
  { x, y, zoom }: Viewport,
  room: { width: number; height: number },
): Viewport | null {
  const dx = shift(
    places.map((place) => place.x * zoom + x),
    WIDTH * zoom,
    room.width,
  );
  const dy = shift(
    places.map((place) => place.y * zoom + y),
    HEIGHT * zoom,
    room.height,
  );
  return dx === null || dy === null ? null : { x: x + dx, y: y + dy, zoom };
}

/** How far what begins here and is so long has to go until all of it is in the room. */
function shift(starts: number[], length: number, room: number): number | null {
  const [first, last] = [Math.min(...starts) - MARGIN, Math.max(...starts) + length + MARGIN];
  if (last - first > room) return null;
  return first < 0 ? -first : Math.min(0, room - last);
}
