// What ends a server besides its client leaving: signals, and the death of the process that started it. And that it ends:
// whatever still runs some time after is cut off, exit code 0, so that no server outlives its client.
import process from "node:process";

const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP", "SIGBREAK"] as const;
/** Under the two seconds after which clients kill a server. */
const LONGEST_END_MS = 1_900;
const PARENT_CHECK_MS = 500;
/** The parent of processes without one. */
const INIT = 1;

export interface StopOptions {
  /** For a server that belongs to one client. One that listens is often started from a shell that is closed. */
  readonly watchesParent: boolean;
  /** After how many milliseconds the process ends, whatever still runs. */
  readonly longestEndMs?: number;
}

/** Aborted when the server must end. */
export function stopSignal({ watchesParent, longestEndMs = LONGEST_END_MS }: StopOptions): AbortSignal {
  const stop = new AbortController();
  stop.signal.addEventListener("abort", () => leaveSoon(longestEndMs), { once: true });
  for (const signal of SIGNALS) process.on(signal, () => stop.abort());
  if (watchesParent && process.ppid !== INIT) watchParent(() => stop.abort());
  return stop.signal;
}

/** A client that dies leaves its pipes open where a process between it and us, as `npx` is, has them too. */
function watchParent(onGone: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, PARENT_CHECK_MS);
  timer.unref();
}

/** Ends the process, if by then anything keeps it alive. */
export function leaveSoon(milliseconds: number): void {
  setTimeout(() => process.exit(0), milliseconds).unref();
}
