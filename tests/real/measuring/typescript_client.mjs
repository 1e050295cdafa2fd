// Clients of the TypeScript SDK: `typescript_client.mjs 1|2 FOLDER`, jobs as JSON on stdin, a line for each on stdout.
// FOLDER holds the node_modules with the SDK. Jobs and lines are those of python_client.py.
import { pathToFileURL } from "node:url";
import { readFileSync } from "node:fs";
import path from "node:path";

const [which, folder] = process.argv.slice(2);
const AT_ONCE = 4;
const at = (...parts) => import(pathToFileURL(path.join(folder, "node_modules", "@modelcontextprotocol", ...parts)));
let Client, StdioClientTransport, onListChanged;
if (which === "1") {
  ({ Client } = await at("sdk", "dist", "esm", "client", "index.js"));
  ({ StdioClientTransport } = await at("sdk", "dist", "esm", "client", "stdio.js"));
  const { ToolListChangedNotificationSchema } = await at("sdk", "dist", "esm", "types.js");
  onListChanged = (client, handler) => client.setNotificationHandler(ToolListChangedNotificationSchema, handler);
} else {
  ({ Client } = await at("client", "dist", "index.mjs"));
  ({ StdioClientTransport } = await at("client", "dist", "stdio.mjs"));
  onListChanged = (client, handler) => client.setNotificationHandler("notifications/tools/list_changed", handler);
}

const text = (error) => `${error?.name}: ${error?.message ?? error}`.slice(0, 300);

async function one(job) {
  const seen = { case: job.case, opened: false, tools: null, reported: 0, list_changed: 0 };
  const began = Date.now();
  const options = job.mode ? { versionNegotiation: { mode: job.mode } } : {};
  const client = new Client({ name: "measured", version: "1" }, { capabilities: {}, ...options });
  client.onerror = () => { seen.reported += 1; };
  onListChanged(client, () => { seen.list_changed += 1; });
  const limit = { timeout: job.limit_s * 1000 };
  const [command, ...args] = job.command;
  try {
    await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }), limit);
    seen.opened = true;
    try {
      seen.tools = (await client.listTools(undefined, limit)).tools.length;
    } catch (error) { seen.list_error = text(error); }
    try {
      await client.ping(limit);
      seen.goes_on = true;
    } catch (error) { seen.goes_on = false; seen.ping_error = text(error); }
  } catch (error) { seen.error = text(error); }
  try { await client.close(); } catch {}
  seen.took_s = (Date.now() - began) / 1000;
  console.log(JSON.stringify(seen));
}

process.on("unhandledRejection", () => {});
process.on("uncaughtException", () => {});
const jobs = JSON.parse(readFileSync(0, "utf8"));
const worker = async () => { for (let job; (job = jobs.shift()); ) await one(job); };
await Promise.all(Array.from({ length: AT_ONCE }, worker));
process.exit(0);
