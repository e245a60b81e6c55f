import { writeExactly } from "@/api/exactIntegers";

// Browsers let 64 KiB of all such requests together outlive their page, and fail what is beyond.
const ROOM_BYTES = 60 * 1024;

let inFlight = 0;

/** Send a body so that it outlives the page, as long as there is room for it. */
export async function keepaliveRequest<Sent>(
  body: unknown,
  send: (keepalive: boolean) => Promise<Sent>,
): Promise<Sent> {
  const bytes = new TextEncoder().encode(writeExactly(body)).length;
  if (inFlight + bytes > ROOM_BYTES) return send(false);
  inFlight += bytes;
  try {
    return await send(true);
  } finally {
    inFlight -= bytes;
  }
}
