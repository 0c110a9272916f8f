// The half of an HTTP sink that all of them share: takes events at once, encodes and posts them soon after in batches, and
// gives up in time. Whatever happens it neither throws, nor rejects, nor makes the caller wait.
import type { Redacted } from "../redaction/redactor.ts";
import { plainPlural } from "../text/figures.ts";
import { jsonBytes } from "../text/json-values.ts";
import { BoundedQueue } from "./bounded-queue.ts";
import type { CompactEvent } from "./compact-event.ts";
import { writeToConsole } from "./console-sink.ts";
import {
  afterLastLook,
  countEvents,
  type Delivery,
  deliver,
  type Failure,
  LAST_LOOK_MS,
  type Piece,
  type Route,
  unheld,
} from "./deliver.ts";
import { type Span, spanOf } from "./span.ts";
import { Sink } from "./trace-sink.ts";

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
  /** What to look at when nothing gets through. */
  readonly advice: string;
  readonly route: Route;
  /** Most pieces of a post. */
  readonly count: number;
  /** Most UTF-8 bytes of the pieces of a post, each with a comma. */
  readonly bytes: number;
  /** Undefined for an event that cannot be sent. */
  readonly encode: (span: Span) => readonly Piece[] | undefined;
  /** Asked until it once gives no failure; before that nothing is posted. */
  readonly prepare?: (deadline: number, signal: AbortSignal, lines: LogLines) => Promise<Failure | undefined>;
}

const LONGEST_MS = 2_000;
/** Well below the 200 ms within which an event has to arrive. */
const DELAY_MS = 50;
const QUEUE_BYTES = 16_000_000;
/** Encoded before others on the event loop have their turn. */
const EVENTS_PER_TURN = 32;
/** An endpoint that failed is left alone for so long, doubled with each failure. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 30_000;

export class PostingQueue extends Sink {
  readonly name: string;
  readonly #destination: Destination;
  readonly #queue: BoundedQueue<Redacted<CompactEvent>>;
  readonly #lines: LogLines;
  #stop = new AbortController();
  readonly #limitMs: number;
  /** What did not fit into the last post. */
  #encoded: Piece[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;
  #draining: Promise<void> | undefined;
  #waiters = 0;
  #isReady: boolean;
  #hasOverflowed = false;
  #pausedUntil = 0;
  #pauseMs = FIRST_PAUSE_MS;
  /** The pause was begun by a failure that took its whole time: even one who waits does not try again now. */
  #isSlow = false;

  constructor(name: string, destination: Destination, { queueLimit, timeoutMs, write }: PostingOptions) {
    super();
    this.name = name;
    this.#destination = destination;
    this.#queue = new BoundedQueue({ count: positive(queueLimit, 10_000), bytes: QUEUE_BYTES }, memoryOf);
    this.#lines = new LogLines(destination, write ?? writeToConsole);
    this.#limitMs = Math.min(LONGEST_MS, positive(timeoutMs, LONGEST_MS));
    this.#isReady = destination.prepare === undefined;
  }

  protected take(event: Redacted<CompactEvent>): void {
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
  override async flush(): Promise<void> {
    if (this.#draining === undefined && this.#isEmpty) return;
    this.#waiters++;
    let cancel = (): void => {};
    const outOfTime = new Promise<void>((resolve) => {
      // The one timer that keeps the program alive: somebody waits. A request gives up a little sooner.
      cancel = afterLastLook(resolve, this.#limitMs, 2 * LAST_LOOK_MS);
    });
    let isOver = false;
    await Promise.race([this.#drainUntil(() => isOver), outOfTime]);
    isOver = true;
    cancel();
    this.#waiters--;
  }

  override async shutdown(): Promise<void> {
    await super.shutdown();
    if (!this.isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#stop.abort();
    await this.#draining;
    if (!this.isClosed) return;
    // Of an endpoint that works, but too slowly to take everything.
    if (!this.#isEmpty) this.#lines.slow();
    this.#giveUp();
  }

  override open(): void {
    super.open();
    if (this.#stop.signal.aborted) this.#stop = new AbortController();
  }

  get #isEmpty(): boolean {
    return this.#queue.length === 0 && this.#encoded.length === 0;
  }

  get #pauseLeft(): number {
    return Math.max(0, this.#pausedUntil - performance.now());
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#draining !== undefined || this.isClosed) return;
    this.#timer = unheld(setTimeout(() => void this.#start(), Math.max(DELAY_MS, this.#pauseLeft)));
  }

  async #drainUntil(isOver: () => boolean): Promise<void> {
    while (!isOver() && (this.#draining !== undefined || !this.#isEmpty)) await this.#start();
  }

  #start(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#draining ??= this.#drain()
      .catch(() => this.#fail({ reason: "a batch could not be made", isSlow: false, retryAfterMs: 0 }))
      .finally(() => {
        this.#draining = undefined;
        if (!this.#isEmpty) this.#schedule();
      });
    return this.#draining;
  }

  async #drain(): Promise<void> {
    if (this.#hasOverflowed) this.#lines.overflowed();
    this.#hasOverflowed = false;
    while (!this.#isEmpty && !this.#stop.signal.aborted) {
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
    if (this.#waiters === 0) return this.#pauseLeft > 0;
    const mustWait = this.#isSlow && this.#pauseLeft > 0;
    if (mustWait) this.#giveUp();
    return mustWait;
  }

  async #prepare(startedAt: number): Promise<Failure | undefined> {
    if (this.#isReady) return undefined;
    const failure = await this.#destination.prepare?.(this.#deadline(startedAt), this.#stop.signal, this.#lines);
    this.#isReady = failure === undefined;
    return failure;
  }

  async #postBatch(startedAt: number): Promise<Failure | undefined> {
    const batch = await this.#takeBatch();
    if (batch.length === 0) return undefined;
    const delivery = await deliver(batch, this.#destination.route, this.#deadline(startedAt), this.#stop.signal);
    this.dropped += delivery.lost;
    this.#report(delivery);
    return delivery.failure;
  }

  /** Encodes until a post is full. What does not fit into it any more begins the next one. At least one piece: none is larger than a post. */
  async #takeBatch(): Promise<readonly Piece[]> {
    const { count } = this.#destination;
    const batch: Piece[] = [];
    let left = this.#destination.bytes;
    let unsendable = 0;
    for (let taken = 0; ; ) {
      const piece = this.#encoded[0];
      if (piece !== undefined) {
        left -= piece.bytes + 1;
        if (batch.length > 0 && (left < 0 || batch.length >= count)) break;
        batch.push(piece);
        this.#encoded.shift();
        continue;
      }
      const event = this.#queue.shift();
      if (event === undefined) break;
      const pieces = this.#piecesOf(event);
      if (pieces === undefined) unsendable++;
      else this.#encoded.push(...pieces);
      if (++taken % EVENTS_PER_TURN === 0) await new Promise((resolve) => unheld(setTimeout(resolve, 0)));
    }
    if (unsendable > 0) this.#reject(unsendable, "not a whole event");
    return batch;
  }

  #piecesOf(event: Redacted<CompactEvent>): readonly Piece[] | undefined {
    try {
      return this.#destination.encode(spanOf(event));
    } catch {
      return undefined;
    }
  }

  #report({ failure, rejected, complaint }: Delivery): void {
    if (complaint !== undefined) this.#reject(rejected, complaint);
    if (failure !== undefined) return;
    this.#pausedUntil = 0;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#lines.worked(this.dropped, complaint === undefined);
  }

  #reject(count: number, complaint: string): void {
    this.dropped += count;
    this.#lines.rejected(count, complaint);
  }

  #fail({ reason, isSlow, retryAfterMs }: Failure): void {
    this.#isSlow = isSlow;
    this.#pausedUntil = performance.now() + Math.min(LONGEST_PAUSE_MS, Math.max(this.#pauseMs, retryAfterMs));
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, this.#pauseMs * 2);
    if (isSlow) this.#lines.slow();
    else this.#lines.failed(reason);
    if (this.#waiters > 0) this.#giveUp();
  }

  #giveUp(): void {
    this.dropped += countEvents(this.#encoded) + this.#queue.clear();
    this.#encoded = [];
  }

  /** A little before whoever waits gives up, who then knows how it went; where nobody waits, making a batch is no part of it. */
  #deadline(startedAt: number): number {
    return (this.#waiters > 0 ? startedAt : performance.now()) + this.#limitMs * 0.95;
  }
}

function positive(given: number | undefined, otherwise: number): number {
  return given !== undefined && given >= 1 ? given : otherwise;
}

/** Bytes in memory, roughly: strings take up to two a unit. */
function memoryOf(event: Redacted<CompactEvent>): number {
  return 400 + 2 * jsonBytes(event);
}

/**
 * What an operator reads about a sink: one line when an endpoint begins to fail, one when it works again, one for each run
 * of events that it does not take. Never a word of an event, a key or a whole URL.
 */
export class LogLines {
  readonly #label: string;
  readonly #advice: string;
  readonly #shown: string;
  readonly #writeLine: (line: string) => void;
  /** What was said and still holds. */
  readonly #said = new Set<"failing" | "rejecting" | "overflowing">();
  #doubt: string | undefined;

  constructor({ label, advice, route }: Destination, write: (line: string) => void) {
    this.#label = label;
    this.#advice = advice;
    this.#shown = route.endpoint.shown;
    this.#writeLine = write;
  }

  failed(reason: string): void {
    this.#doubt = undefined;
    this.#sayOnce("failing", `${this.#shown} takes no traces: ${reason}. ${this.#advice}`);
  }

  /** Nobody knows whether it is busy or not there; what it was sent it may have taken. */
  slow(): void {
    this.#doubt = undefined;
    const why = "it is slow, or nothing that takes traces; some may have arrived";
    this.#sayOnce("failing", `${this.#shown} gives no answer in time: ${why}`);
  }

  /** A batch arrived, as a whole or in part; `dropped` counts all events lost so far. */
  worked(dropped: number, isWhole: boolean): void {
    if (this.#said.delete("failing"))
      this.#write(`${this.#shown} takes traces again; ${plainPlural(dropped, "event")} lost so far`);
    if (this.#doubt !== undefined) this.#write(this.#doubt);
    this.#doubt = undefined;
    this.#said.delete("overflowing");
    if (isWhole) this.#said.delete("rejecting");
  }

  rejected(count: number, complaint: string): void {
    this.#doubt = undefined;
    const what = count === 0 ? "a complaint" : `${plainPlural(count, "event")} not taken`;
    this.#sayOnce("rejecting", `${what} by ${this.#shown}: ${complaint}`);
  }

  overflowed(): void {
    if (this.#said.has("failing")) return;
    this.#sayOnce("overflowing", "more events than the queue holds: the oldest are dropped");
  }

  /** Written when a batch arrives all the same: what fails or is refused has a line of its own. */
  doubt(text: string): void {
    this.#doubt = text;
  }

  #sayOnce(what: "failing" | "rejecting" | "overflowing", text: string): void {
    if (!this.#said.has(what)) this.#write(text);
    this.#said.add(what);
  }

  #write(text: string): void {
    try {
      this.#writeLine(`[${this.#label}] ${text}`);
    } catch {
      // A log that cannot be written is never worth stopping an agent for.
    }
  }
}
