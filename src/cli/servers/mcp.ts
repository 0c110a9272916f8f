// `agent-compact mcp`: connects the server to this process. Stdout belongs to the protocol before anything else is loaded,
// so what is heavy, or might print, is imported after that.
import process from "node:process";
import type { HttpOptions } from "../../mcp/serve-http.ts";
import { settledWithin } from "../../timeout.ts";
import type { Terminal } from "../terminal.ts";
import type { OpenedMcp } from "./open-mcp.ts";
import { leaveSoon, type OwnedStdout, ownStdout, stopSignal } from "./process.ts";
import type { McpFlags } from "./program.ts";

/** Where tools and their store come from. Called when stdout is the protocol's already. */
type OpenMcp = (flags: McpFlags, terminal: Terminal) => Promise<OpenedMcp>;

const openLazily: OpenMcp = async (flags, terminal) => {
  const { openMcp } = await import("./open-mcp.ts");
  return openMcp(flags, terminal);
};

/** For closing the stores and the trace, after the calls have ended. */
const CLOSE_MS = 1_600;
/** For what was written to leave, before the process is ended. */
const LEAVE_MS = 50;

/** Resolves when the server has ended. The process ends soon after, whatever still runs. */
export async function serveMcp(
  flags: McpFlags,
  terminal: Terminal,
  version: string,
  open: OpenMcp = openLazily,
): Promise<void> {
  const stdout = ownStdout();
  const signal = stopSignal({ watchesParent: flags.http === undefined });
  const log = (line: string) => void terminal.stderr.write(`agent-compact: ${line}\n`);
  process.on("unhandledRejection", (reason) =>
    log(`Something failed unnoticed: ${reason instanceof Error ? reason.stack : String(reason)}`),
  );
  const opened = await open(flags, terminal);
  for (const warning of opened.warnings) log(warning);
  const { createMcpServerFactory } = await import("../../mcp/server.ts");
  const { createRunningCalls } = await import("../../mcp/running-calls.ts");
  const running = createRunningCalls();
  const factory = createMcpServerFactory({ ...opened, version, log, running });
  const parts = { factory, running, log };
  if (flags.http !== undefined) await listen({ ...parts, port: flags.http, signal }, stdout, flags, terminal);
  else {
    const { serveStdio } = await import("../../mcp/serve-stdio.ts");
    const ended = AbortSignal.any([signal, stdout.gone]);
    await serveStdio({ ...parts, input: process.stdin, output: stdout, signal: ended });
  }
  await settledWithin(opened.close(), CLOSE_MS);
  leaveSoon(LEAVE_MS);
}

async function listen(
  parts: Omit<HttpOptions, "token" | "onListening">,
  stdout: OwnedStdout,
  flags: McpFlags,
  terminal: Terminal,
): Promise<void> {
  const { readMcpToken } = await import("../../config/variables.ts");
  const { serveHttp } = await import("../../mcp/serve-http.ts");
  const token = readMcpToken(terminal.env);
  await serveHttp({
    ...parts,
    ...(token === undefined ? {} : { token }),
    onListening: (url) => {
      if (flags.quiet !== true)
        terminal.stderr.write(`Listening on ${url}${token === undefined ? "" : ", token asked for"}\n`);
      if (flags.json === true) stdout.write(`${JSON.stringify({ url })}\n`).catch(() => undefined);
    },
  });
}
