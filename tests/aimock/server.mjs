// aimock on a free port; prints its address and ends with its standard input.
import { createServer } from "@copilotkit/aimock";

// aimock's journal keeps a translation of each request. Here is each one as it came.
const bodies = [];
// What each of the next requests counts beside aimock's own figures, which know no cache.
let usages = [];
const wire = {
  async handleRequest(request, response) {
    response.setHeader("content-type", "application/json");
    if (request.method === "DELETE") usages = [];
    if (request.method === "PUT") usages = JSON.parse(Buffer.concat(await request.toArray()).toString());
    response.end(JSON.stringify(request.method === "DELETE" ? bodies.splice(0) : bodies));
    return true;
  },
};

function counting(usage, line) {
  const data = line.startsWith("data: {") ? line.slice(6) : line;
  if (!data.startsWith("{")) return line;
  const event = JSON.parse(data);
  for (const place of [event, event.message, event.response])
    if (place?.usage) place.usage = { ...place.usage, ...usage };
  return line.slice(0, line.length - data.length) + JSON.stringify(event);
}

const { server, url } = await createServer([], { port: 0, logLevel: "silent" }, [{ path: "/__wire", handler: wire }]);

server.prependListener("request", (request, response) => {
  if (request.method !== "POST" || request.url.startsWith("/__")) return;
  const usage = usages.shift();
  if (usage) {
    const write = response.write.bind(response);
    // aimock writes whole events.
    response.write = (piece, ...rest) =>
      write(
        String(piece)
          .split("\n")
          .map((line) => counting(usage, line))
          .join("\n"),
        ...rest,
      );
  }
  const chunks = [];
  const emit = request.emit.bind(request);
  // Listening for data would drain the request before aimock reads it.
  request.emit = (event, ...rest) => {
    if (event === "data") chunks.push(rest[0]);
    if (event === "end") bodies.push({ path: request.url, body: Buffer.concat(chunks).toString() });
    return emit(event, ...rest);
  };
});

console.log(url);
process.stdin.on("end", () => process.exit()).resume();
