// The half of a sink that goes into a tracing library of the host's: loads the library once, hands it each event in the
// caller's own turn and async context, and lets no failure of it out. What the library does with spans is its own.
import { CompactError } from "../errors.ts";
import type { Redacted } from "../redaction/redactor.ts";
import { settledWithin } from "../timeout.ts";
import { PendingPromises } from "./bounded-queue.ts";
import type { CompactEvent } from "./compact-event.ts";
import { writeToConsole } from "./console-sink.ts";
import { Sink } from "./trace-sink.ts";

export interface HostedSinkOptions {
  /** Takes one line without its line break, when something fails. By default standard error, in a browser the console. */
  readonly write?: (line: string) => void;
}

/** What is made of events once the library is there. May throw, may reject. */
export interface Host {
  take(event: Redacted<CompactEvent>): unknown;
  /** Ends what is still open. */
  close(): unknown;
}

/** Events while the library is being loaded, which takes milliseconds. */
const MOST_WAITING = 10_000;
const LONGEST_WAIT_MS = 2_000;

export class HostedSink extends Sink {
  readonly name: string;
  readonly #write: (line: string) => void;
  readonly #label: string;
  readonly #loading: Promise<void>;
  readonly #waiting = new Map<number, Redacted<CompactEvent>>();
  readonly #pending = new PendingPromises();
  #host: Host | "missing" | undefined;
  #count = 0;
  #isFailing = false;
  #ending: Promise<void> | undefined;

  constructor(
    name: string,
    label: string,
    load: () => Promise<Host>,
    { write = writeToConsole }: HostedSinkOptions = {},
  ) {
    super();
    this.name = name;
    this.#label = label;
    this.#write = write;
    this.#loading = load().then(
      (host) => {
        this.#host = host;
      },
      (error: unknown) => {
        this.#host = "missing";
        this.#fail(error);
      },
    );
  }

  protected take(event: Redacted<CompactEvent>): void {
    if (this.#host === undefined) this.#takeLater(event);
    else this.#take(event);
  }

  override flush(): Promise<void> {
    return this.#arrived(LONGEST_WAIT_MS);
  }

  override shutdown(): Promise<void> {
    this.isClosed = true;
    this.#ending ??= this.#end();
    return this.#ending;
  }

  override open(): void {
    super.open();
    this.#ending = undefined;
  }

  async #end(): Promise<void> {
    await this.#arrived(LONGEST_WAIT_MS / 2);
    const host = this.#host;
    if (host === undefined || host === "missing") return;
    this.#attempt(() => host.close());
    await this.#arrived(LONGEST_WAIT_MS / 2);
  }

  async #arrived(timeoutMs: number): Promise<void> {
    const all = this.#loading.then(() => this.#pending.settle(timeoutMs));
    await settledWithin(all, timeoutMs);
  }

  /** `then` runs in the async context of this call, so the host's current span is still the caller's. */
  #takeLater(event: Redacted<CompactEvent>): void {
    const number = this.#count++;
    this.#waiting.set(number, structuredClone(event));
    if (this.#waiting.size > MOST_WAITING) {
      const [oldest] = this.#waiting.keys();
      if (oldest !== undefined) this.#waiting.delete(oldest);
      this.dropped++;
    }
    void this.#loading.then(() => {
      const waited = this.#waiting.get(number);
      this.#waiting.delete(number);
      if (waited !== undefined) this.#take(waited);
    });
  }

  #take(event: Redacted<CompactEvent>): void {
    const host = this.#host;
    if (host === undefined || host === "missing") this.dropped++;
    else
      this.#attempt(
        () => host.take(event),
        () => this.dropped++,
      );
  }

  #attempt(action: () => unknown, onFailure: () => void = () => {}): void {
    const fail = (error: unknown): void => {
      onFailure();
      this.#fail(error);
    };
    try {
      const result = action();
      if (result instanceof Promise) this.#pending.add(result, fail);
      else this.#isFailing = false;
    } catch (error) {
      fail(error);
    }
  }

  /** Once for each run of failures. What a library throws may quote what it was given, so only its kind is told. */
  #fail(error: unknown): void {
    if (this.#isFailing) return;
    this.#isFailing = true;
    const text = CompactError.isInstance(error)
      ? [error.message, error.hint].filter(Boolean).join(". ")
      : `takes no traces: ${error instanceof Error ? error.name : "it failed"}`;
    try {
      this.#write(`[${this.#label}] ${text}`);
    } catch {
      // A log that cannot be written is never worth stopping an agent for.
    }
  }
}

/** Loads a library that is the host's to install. Throws `MissingDependency`. */
export async function loadPeer<Peer>(name: string, load: () => Promise<Peer>): Promise<Peer> {
  try {
    return await load();
  } catch (cause) {
    throw new CompactError("MissingDependency", `The package "${name}" could not be loaded`, {
      hint: `Install it: npm install ${name}`,
      cause,
    });
  }
}
