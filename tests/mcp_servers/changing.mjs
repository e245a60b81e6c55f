// A server whose tools are what a file says at that moment. Calls answer with their name; one that is told to writes
// down who it is, and never answers, and another asks for a name first.
import { readFileSync, writeFileSync } from "node:fs";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const [, , file] = process.argv;
const server = new Server({ name: "changing", version: "1" }, { capabilities: { tools: { listChanged: true } } });
server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: JSON.parse(readFileSync(file, "utf8")) }));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  if (params.arguments?.ask) {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    await server.elicitInput({ message: "Who is it?", requestedSchema });
  }
  if (params.arguments?.hang) {
    writeFileSync(params.arguments.hang, String(process.pid));
    return new Promise(() => {});
  }
  return { content: [{ type: "text", text: `${params.name} with ${JSON.stringify(params.arguments)}` }] };
});
await server.connect(new StdioServerTransport());
