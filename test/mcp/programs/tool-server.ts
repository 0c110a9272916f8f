// The command `mcp` as the program runs it, but with the tests' own tools. `--http PORT` as there.

import { appendFileSync } from "node:fs";
import process from "node:process";
import { isMainThread } from "node:worker_threads";
import { serveMcp } from "../../../src/cli/servers/mcp.ts";
import { runServerThread } from "../../../src/cli/servers/process.ts";
import { testContext, testTools } from "./tools.ts";

if (isMainThread) runServerThread(new URL(import.meta.url));
else await serve();

async function serve(): Promise<void> {
  const http = process.argv.indexOf("--http");
  const closed = process.env.CLOSED_FILE;

  await serveMcp(
    http < 0 ? {} : { http: Number(process.argv[http + 1]), json: true },
    {
      argv: process.argv.slice(2),
      stdin: process.stdin,
      stdout: process.stdout,
      stderr: process.stderr,
      cwd: process.cwd(),
      env: process.env,
    },
    "0.0.0",
    async () => {
      // biome-ignore lint/suspicious/noConsole: as a library does
      console.log("NOISE at the start");
      return {
        tools: testTools,
        instructions: "Tools of the tests.",
        context: testContext,
        warnings: [],
        close: async () => {
          if (closed !== undefined) appendFileSync(closed, "closed\n");
        },
      };
    },
  );
}
