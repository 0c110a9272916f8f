// Appends every event to `{path}/{session folder}/events.jsonl`, in order, behind the caller's back: a bounded queue,
// one writer, and a disk that fails costs events, never the agent. Beyond 128 KB what is there is packed beside it.
import type { CompactError } from "../errors.ts";
import { endsWithLineBreak, fileFailure, openPlainFile } from "../storage/files.ts";
import { openSessionFolder } from "../storage/open-session-folder.ts";
import { BoundedQueue } from "./bounded-queue.ts";
import type { CompactEvent } from "./compact-event.ts";
import { type ClosableSink, Sink } from "./trace-sink.ts";

const FILE = "events.jsonl";
const QUEUE_BYTES = 16_000_000;
/** To open a session's folder takes ten operations: what comes together is written together. */
const GATHERED_MS = 50;
/** Files whose last line is known to be whole. */
const MOST_KNOWN_FILES = 1_000;

export interface JsonlSinkOptions {
  /** The archive's folder. */
  readonly path: string;
  /** Most events that wait for the disk; the oldest leave first, also above 16 MB. 10,000 by default. */
  readonly queueLimit?: number;
  /** Told once per run of failures, not once per event. */
  readonly onError?: (error: CompactError) => void;
}

interface Waiting {
  readonly sessionId: string;
  readonly at: string;
  readonly line: string;
}

/** `dropped`: events that never reached the file, pushed out of a full queue or refused by the disk. */
export function createJsonlSink(options: JsonlSinkOptions): ClosableSink {
  return new FileSink(options);
}

class FileSink extends Sink {
  readonly name = "jsonl";
  readonly #options: JsonlSinkOptions;
  readonly #queue: BoundedQueue<Waiting>;
  readonly #ended = new Set<string>();
  #isFailing = false;
  #draining: Promise<void> | undefined;
  #hurry: () => void = () => undefined;

  constructor(options: JsonlSinkOptions) {
    super();
    const count = Math.max(1, options.queueLimit ?? 10_000);
    this.#queue = new BoundedQueue({ count, bytes: QUEUE_BYTES }, ({ line }) => line.length * 2);
    this.#options = options;
  }

  protected take(event: CompactEvent): void {
    try {
      const line = `${JSON.stringify(withoutText(event))}\n`;
      this.dropped += this.#queue.push({ sessionId: event.session_id, at: event.at, line });
    } catch (error) {
      this.dropped++;
      this.#report(error);
    }
    this.#draining ??= this.#gathered().then(() => this.#drain());
  }

  override async flush(): Promise<void> {
    while (this.#draining !== undefined) {
      this.#hurry();
      await this.#draining;
    }
  }

  #gathered(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, GATHERED_MS);
      this.#hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) for (const batch of bySession(takeAll(this.#queue))) await this.#write(batch);
    this.#draining = undefined;
  }

  async #write(batch: readonly Waiting[]): Promise<void> {
    try {
      await appendEvents(this.#options.path, batch, this.#ended);
      this.#isFailing = false;
    } catch (error) {
      this.dropped += batch.length;
      // A write that failed half-way may have torn a line.
      this.#ended.clear();
      this.#report(error);
    }
  }

  #report(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    try {
      const { path, onError } = this.#options;
      onError?.(fileFailure("ArchiveFailed", "write trace events", path, error));
    } catch {
      // The listener's own failure must not stop the writer.
    }
  }
}

/** A summary that the archive has is named, not written again: what leaves the archive must not stay here. */
function withoutText(event: CompactEvent): CompactEvent {
  if (event.event !== "compact.summary_created" || event.location === undefined) return event;
  const { location, ...rest } = event;
  return { ...rest, payload: JSON.stringify({ summary_ref: location }) };
}

function takeAll(queue: BoundedQueue<Waiting>): readonly Waiting[] {
  const taken: Waiting[] = [];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) taken.push(next);
  return taken;
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
  const [{ stat }, { join }] = await Promise.all([import("node:fs/promises"), import("node:path")]);
  const [first] = batch;
  if (first === undefined) return;
  const { MOST_PLAIN_BYTES, packEvents } = await import("./pack-events.ts");
  const folder = await openSessionFolder(root, first.sessionId, first.at);
  const path = join(folder, FILE);
  const text = batch.map((event) => event.line).join("");
  // Where that fails they stay as they are, and the next batch tries again.
  if (((await stat(path).catch(() => undefined))?.size ?? 0) > MOST_PLAIN_BYTES)
    await packEvents(folder, FILE).catch(() => undefined);
  const file = await openPlainFile(path, "append");
  try {
    // A crash may have torn the last line of an earlier run: it must not swallow our first one.
    const start = ended.has(path) || (await endsWithLineBreak(file)) ? "" : "\n";
    await file.appendFile(start + text);
  } finally {
    await file.close();
  }
  if (ended.size >= MOST_KNOWN_FILES) ended.clear();
  ended.add(path);
}
