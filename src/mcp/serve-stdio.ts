// Serves one client over a pair of streams until it leaves or the server is stopped. Which streams, and what stops a
// process, is decided in cli/.
import type { Readable } from "node:stream";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerFactory } from "./server.ts";
import { type LineOutput, LineTransport } from "./stdio/line-transport.ts";
import type { Log } from "./tool-error.ts";

export interface StdioParts {
  readonly factory: ServerFactory;
  readonly input: Readable;
  readonly output: LineOutput;
  readonly running: RunningCalls;
  readonly log: Log;
  /** Aborted: no more messages are taken, what was asked is answered. */
  readonly signal: AbortSignal;
}

/** With what is done after it, under the two seconds after which clients kill a server. */
const GRACE_MS = 1_400;

/**
 * Resolves when the connection has ended and no call runs, or soon after `GRACE_MS` from the beginning of the end; what
 * is not finished then is answered as such. Never rejects.
 */
export async function serveStdio({ factory, input, output, running, log, signal }: StdioParts): Promise<void> {
  const giveUp = () => {
    const unfinished = running.giveUp();
    if (unfinished !== undefined) log(unfinished);
  };
  const transport = new LineTransport({ input, output, log, graceMs: GRACE_MS, onLate: giveUp });
  const handle = serveConnection(factory, { transport, onerror: (error) => log(error.message) });
  const finish = () => void transport.finish();
  if (signal.aborted) finish();
  else signal.addEventListener("abort", finish, { once: true });
  const endedAt = await transport.closed;
  await handle.close();
  // A client that has left may have left a call behind, which may be writing.
  if (!(await running.settled(GRACE_MS - (Date.now() - endedAt)))) giveUp();
}
