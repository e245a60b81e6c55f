// aimock on a free port; prints its address and ends with its standard input.
import { createServer } from "@copilotkit/aimock";

// aimock's journal keeps a translation of each request. Here is each one as it came.
const bodies = [];
const wire = {
  async handleRequest(request, response) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(request.method === "DELETE" ? bodies.splice(0) : bodies));
    return true;
  },
};

const { server, url } = await createServer([], { port: 0, logLevel: "silent" }, [{ path: "/__wire", handler: wire }]);

server.prependListener("request", (request) => {
  if (request.method !== "POST" || request.url.startsWith("/__")) return;
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
