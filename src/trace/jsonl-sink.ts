// Appends every event to `{path}/{session folder}/events.jsonl`, in order, behind the caller's back: a bounded queue,
// one writer, and a disk that fails costs events, never the agent.

import type { CompactError } from "../errors.ts";
import { fileFailure } from "../storage/file-failure.ts";
import { openSessionFolder } from "../storage/open-session-folder.ts";
import type { TraceSink } from "./trace-sink.ts";

const FILE = "events.jsonl";

export interface JsonlSinkOptions {
  /** The archive's folder. */
  readonly path: string;
  /** Most events that wait for the disk; the oldest leave first. 10,000 by default. */
  readonly queueLimit?: number;
  /** Told once per run of failures, not once per event. */
  readonly onError?: (error: CompactError) => void;
}

export interface JsonlSink extends TraceSink {
  /** Events that never reached the file: pushed out of a full queue, or refused by the disk. */
  readonly dropped: number;
}

interface Waiting {
  readonly sessionId: string;
  readonly at: string;
  readonly line: string;
}

export function createJsonlSink(options: JsonlSinkOptions): JsonlSink {
  const limit = Math.max(1, options.queueLimit ?? 10_000);
  let queue: Waiting[] = [];
  let dropped = 0;
  let isFailing = false;
  let draining: Promise<void> | undefined;
  const ended = new Set<string>();

  const report = (error: unknown): void => {
    if (isFailing) return;
    isFailing = true;
    try {
      options.onError?.(fileFailure("ArchiveFailed", "write trace events", options.path, error));
    } catch {
      // The listener's own failure must not stop the writer.
    }
  };

  const write = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await appendEvents(options.path, batch, ended);
      isFailing = false;
    } catch (error) {
      dropped += batch.length;
      // A write that failed half-way may have torn a line.
      ended.clear();
      report(error);
    }
  };

  const drain = async (): Promise<void> => {
    while (queue.length > 0) {
      const waiting = queue;
      queue = [];
      for (const batch of bySession(waiting)) await write(batch);
    }
    draining = undefined;
  };

  return {
    name: "jsonl",
    get dropped() {
      return dropped;
    },
    emit(event) {
      try {
        queue.push({ sessionId: event.session_id, at: event.at, line: `${JSON.stringify(event)}\n` });
      } catch (error) {
        dropped++;
        report(error);
      }
      if (queue.length > limit) {
        queue.shift();
        dropped++;
      }
      draining ??= Promise.resolve().then(drain);
    },
    async flush() {
      while (draining !== undefined) await draining;
    },
  };
}

/** Sessions have files of their own, so only the order within each counts. */
function bySession(waiting: readonly Waiting[]): Iterable<readonly Waiting[]> {
  const batches = new Map<string, Waiting[]>();
  for (const event of waiting) {
    const batch = batches.get(event.sessionId);
    if (batch === undefined) batches.set(event.sessionId, [event]);
    else batch.push(event);
  }
  return batches.values();
}

async function appendEvents(root: string, batch: readonly Waiting[], ended: Set<string>): Promise<void> {
  const { appendFile } = await import("node:fs/promises");
  const { join } = await import("node:path");
  const [first] = batch;
  if (first === undefined) return;
  const file = join(await openSessionFolder(root, first.sessionId, first.at), FILE);
  const text = batch.map((event) => event.line).join("");
  // A crash may have torn the last line of an earlier run: it must not swallow our first one.
  const start = ended.has(file) || (await endsWithLineBreak(file)) ? "" : "\n";
  await appendFile(file, start + text, { mode: 0o600 });
  ended.add(file);
}

async function endsWithLineBreak(file: string): Promise<boolean> {
  const { open } = await import("node:fs/promises");
  const handle = await open(file, "r").catch(() => undefined);
  if (handle === undefined) return true;
  try {
    const { size } = await handle.stat();
    const last = new Uint8Array(1);
    if (size > 0) await handle.read(last, 0, 1, size - 1);
    return size === 0 || last[0] === 0x0a;
  } finally {
    await handle.close();
  }
}
