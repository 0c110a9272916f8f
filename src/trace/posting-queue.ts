// The half of an HTTP sink that all of them share: takes events at once, posts them soon after, one batch at a time, and
// gives up in time. Whatever happens it neither throws, nor rejects, nor makes the caller wait.
import type { Redacted } from "../redaction/redactor.ts";
import { type BatchLimits, BatchSource, BoundedQueue, type Encode } from "./batches.ts";
import type { CompactEvent } from "./compact-event.ts";
import { writeToConsole } from "./console-sink.ts";
import {
  afterLastLook,
  type Delivery,
  deliver,
  type Failure,
  LAST_LOOK_MS,
  Pause,
  type Route,
  unheld,
} from "./deliver.ts";
import type { TraceSink } from "./trace-sink.ts";

/** What every HTTP sink lets its maker set. */
export interface PostingOptions {
  readonly url: string;
  /** Most events that wait for the network; the oldest leave first. 10,000 by default. */
  readonly queueLimit?: number;
  /** The longest that a post with its retry, a flush or a shutdown lasts. 2,000 by default and at most. */
  readonly timeoutMs?: number;
  /** Takes one line without its line break. By default standard error, in a browser the console. */
  readonly write?: (line: string) => void;
}

interface Destination {
  /** "Ariadne": begins each line. */
  readonly label: string;
  readonly advice: string;
  readonly route: Route;
  readonly limits: BatchLimits;
  readonly encode: Encode;
  /** Asked until it once gives no failure; before that nothing is posted. */
  readonly prepare?: (deadline: number, signal: AbortSignal, lines: LogLines) => Promise<Failure | undefined>;
}

const LONGEST_MS = 2_000;
/** Well below the 200 ms within which an event has to arrive. */
const DELAY_MS = 50;
const QUEUE_BYTES = 16_000_000;

export type PostingSink = TraceSink & Required<Pick<TraceSink, "dropped" | "shutdown">>;

export function createPostingSink(name: string, destination: Destination, options: PostingOptions): PostingSink {
  const posting = new PostingQueue(destination, options);
  return {
    name,
    get dropped() {
      return posting.dropped;
    },
    emit: (event) => posting.push(event),
    flush: () => posting.flush(),
    shutdown: () => posting.shutdown(),
  };
}

class PostingQueue {
  dropped = 0;
  readonly #destination: Destination;
  readonly #queue: BoundedQueue<Redacted<CompactEvent>>;
  readonly #source: BatchSource;
  readonly #lines: LogLines;
  readonly #pause = new Pause();
  readonly #stop = new AbortController();
  readonly #limitMs: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #draining: Promise<void> | undefined;
  #waiters = 0;
  #isReady: boolean;
  #isClosed = false;
  #hasOverflowed = false;

  constructor(destination: Destination, { queueLimit, timeoutMs, write = writeToConsole }: PostingOptions) {
    const count = positive(queueLimit, 10_000);
    const { label, advice, route, limits, encode } = destination;
    this.#destination = destination;
    this.#queue = new BoundedQueue<Redacted<CompactEvent>>({ count, bytes: QUEUE_BYTES }, roughBytes);
    this.#source = new BatchSource(this.#queue, limits, encode);
    this.#lines = new LogLines({ label, advice, shown: route.endpoint.shown, write });
    this.#limitMs = Math.min(LONGEST_MS, positive(timeoutMs, LONGEST_MS));
    this.#isReady = destination.prepare === undefined;
  }

  push(event: Redacted<CompactEvent>): void {
    if (this.#isClosed) {
      this.dropped++;
      return;
    }
    // A shallow copy: emit hands out a deep one already, and what a caller adds to it later is not ours to send.
    const pushedOut = this.#queue.push({ ...event });
    this.dropped += pushedOut;
    if (pushedOut > 0) this.#hasOverflowed = true;
    this.#schedule();
  }

  /**
   * Ends within the time limit. What an endpoint that works has not taken by then leaves later; what one that does not
   * work would have got is given up.
   */
  async flush(): Promise<void> {
    if (this.#draining === undefined && this.#source.isEmpty) return;
    this.#waiters++;
    let cancel = (): void => {};
    const outOfTime = new Promise<void>((resolve) => {
      // The one timer that keeps the program alive: somebody waits. It looks longer than a request does, which is over first.
      cancel = afterLastLook(resolve, this.#limitMs, 2 * LAST_LOOK_MS);
    });
    let isOver = false;
    await Promise.race([this.#drainUntil(() => isOver), outOfTime]);
    isOver = true;
    cancel();
    this.#waiters--;
  }

  async shutdown(): Promise<void> {
    this.#isClosed = true;
    await this.flush();
    clearTimeout(this.#timer);
    this.#stop.abort();
    await this.#draining;
    // Of an endpoint that works, but too slowly to take everything.
    if (!this.#source.isEmpty) this.#lines.failed("not everything in time");
    this.#giveUp();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#draining !== undefined || this.#isClosed) return;
    this.#timer = unheld(setTimeout(() => void this.#start(), Math.max(DELAY_MS, this.#pause.left)));
  }

  async #drainUntil(isOver: () => boolean): Promise<void> {
    while (!isOver() && (this.#draining !== undefined || !this.#source.isEmpty)) await this.#start();
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draining ??= this.#drain()
      .catch(() => this.#fail({ reason: "a batch could not be made", isSlow: false, retryAfterMs: 0 }))
      .finally(() => {
        this.#draining = undefined;
        if (!this.#source.isEmpty) this.#schedule();
      });
    return this.#draining;
  }

  async #drain(): Promise<void> {
    if (this.#hasOverflowed) this.#lines.overflowed();
    this.#hasOverflowed = false;
    while (!this.#source.isEmpty && !this.#stop.signal.aborted) {
      if (this.#mustWait()) return;
      const startedAt = performance.now();
      const failure = (await this.#prepare(startedAt)) ?? (await this.#postBatch(startedAt));
      if (failure === undefined) continue;
      this.#fail(failure);
      return;
    }
  }

  /** True while an endpoint that failed is left alone. One who waits for the result is not kept waiting: it is lost. */
  #mustWait(): boolean {
    if (this.#waiters === 0) return this.#pause.left > 0;
    if (this.#pause.holdsEveryone) this.#giveUp();
    return this.#pause.holdsEveryone;
  }

  async #prepare(startedAt: number): Promise<Failure | undefined> {
    if (this.#isReady) return undefined;
    const failure = await this.#destination.prepare?.(this.#deadline(startedAt), this.#stop.signal, this.#lines);
    this.#isReady = failure === undefined;
    return failure;
  }

  async #postBatch(startedAt: number): Promise<Failure | undefined> {
    const { batch, unsendable } = await this.#source.take();
    if (unsendable > 0) this.#reject(unsendable, "not a whole event");
    if (batch.length === 0) return undefined;
    const delivery = await deliver(batch, this.#destination.route, this.#deadline(startedAt), this.#stop.signal);
    this.dropped += delivery.lost;
    this.#tell(delivery);
    return delivery.failure;
  }

  #tell({ failure, rejected, complaint }: Delivery): void {
    if (complaint !== undefined) this.#reject(rejected, complaint);
    if (failure !== undefined) return;
    this.#pause.end();
    this.#lines.worked(this.dropped);
    if (complaint === undefined) this.#lines.acceptedWhole();
  }

  #reject(count: number, complaint: string): void {
    this.dropped += count;
    this.#lines.rejected(count, complaint);
  }

  #fail(failure: Failure): void {
    this.#pause.begin(failure);
    this.#lines.failed(failure.reason);
    if (this.#waiters > 0) this.#giveUp();
  }

  #giveUp(): void {
    this.dropped += this.#source.clear();
  }

  /** A little before whoever waits gives up, who then knows how it went; where nobody waits, making a batch is no part of it. */
  #deadline(startedAt: number): number {
    return (this.#waiters > 0 ? startedAt : performance.now()) + this.#limitMs * 0.95;
  }
}

function positive(given: number | undefined, otherwise: number): number {
  return given !== undefined && given >= 1 ? given : otherwise;
}

// What an operator reads about a sink: one line when an endpoint begins to fail, one when it works again, one per run
// of events that it does not take. Never a word of an event, a key or a whole URL.

interface LogLinesOptions {
  /** "Ariadne": each line begins with it in brackets. */
  readonly label: string;
  readonly shown: string;
  /** What to look at when nothing gets through. */
  readonly advice: string;
  readonly write: (line: string) => void;
}

export class LogLines {
  readonly #options: LogLinesOptions;
  #isFailing = false;
  #isRejecting = false;
  #isOverflowing = false;
  #doubt: string | undefined;

  constructor(options: LogLinesOptions) {
    this.#options = options;
  }

  failed(reason: string): void {
    this.#doubt = undefined;
    if (this.#isFailing) return;
    this.#isFailing = true;
    this.#write(`${this.#options.shown} takes no traces: ${reason}. ${this.#options.advice}`);
  }

  /** A batch arrived; `dropped` counts all events lost so far. */
  worked(dropped: number): void {
    if (this.#isFailing) this.#write(`${this.#options.shown} takes traces again; ${countOf(dropped)} lost so far`);
    if (this.#doubt !== undefined) this.#write(this.#doubt);
    this.#doubt = undefined;
    this.#isFailing = false;
    this.#isOverflowing = false;
  }

  rejected(count: number, complaint: string): void {
    this.#doubt = undefined;
    if (this.#isRejecting) return;
    this.#isRejecting = true;
    const what = count === 0 ? "a complaint" : `${countOf(count)} not taken`;
    this.#write(`${what} by ${this.#options.shown}: ${complaint}`);
  }

  acceptedWhole(): void {
    this.#isRejecting = false;
  }

  overflowed(): void {
    if (this.#isOverflowing || this.#isFailing) return;
    this.#isOverflowing = true;
    this.#write("more events than the queue holds: the oldest are dropped");
  }

  /** Told when a batch arrives all the same. What fails or is refused then has a line of its own for the same cause. */
  doubt(text: string): void {
    this.#doubt = text;
  }

  #write(text: string): void {
    try {
      this.#options.write(`[${this.#options.label}] ${text}`);
    } catch {
      // A log that cannot be written is never worth stopping an agent for.
    }
  }
}

function countOf(events: number): string {
  return `${events} event${events === 1 ? "" : "s"}`;
}

/** Of what a server says: on one line, without control characters, short. */
export function printable(words: string): string {
  return words
    .slice(0, 200)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .trim();
}

// What an event takes in memory, roughly and in no time: it is asked in the caller's own turn, so nothing is encoded.

const PER_EVENT = 400;
const PER_ITEM = 64;
const PER_NUMBER = 8;

/** Strings are held at up to two bytes a unit. What lies deeper than two levels is short in every event. */
function roughBytes(event: CompactEvent): number {
  let bytes = PER_EVENT;
  for (const value of Object.values(event) as readonly unknown[]) {
    if (typeof value === "string") bytes += value.length * 2;
    else if (Array.isArray(value)) bytes += value.length * (typeof value[0] === "number" ? PER_NUMBER : PER_ITEM * 2);
  }
  return bytes;
}
