// The stdio transport: a line is a message, both ways. Its own, because the SDK's drops requests that are running when the
// input ends; this one answers what it has received before it says that it is closed, and survives lines that are no
// messages.
import type { Readable } from "node:stream";
import {
  type JSONRPCMessage,
  type RequestId,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  serializeMessage,
  specTypeSchemas,
  type Transport,
} from "@modelcontextprotocol/server";
import { loosenMessage } from "../loosen-message.ts";
import { within } from "../running-calls.ts";
import type { Log } from "../tool-error.ts";
import { LineReader } from "./read-lines.ts";
import { describeUnreadable, idAtAnEnd, idsOf } from "./refused-lines.ts";

export interface LineOutput {
  /** Resolves when the text has left; rejects when nobody reads any more. */
  write(text: string): Promise<void>;
}

export interface LineTransportOptions {
  readonly input: Readable;
  readonly output: LineOutput;
  readonly log: Log;
  /** How long answers are waited for after the input has ended. */
  readonly graceMs: number;
  /** Called when that time is over and requests wait: has them answered at once. What is not is refused. */
  readonly onLate?: () => void;
}

const INVALID_REQUEST = -32600;
const INTERNAL_ERROR = -32603;
/** For answers that are there already to be written. */
const LATE_MS = 50;
const LIMIT_MB = STDIO_DEFAULT_MAX_BUFFER_SIZE / 1024 / 1024;

export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the connection is closed, with the time when its end began. */
  readonly closed: Promise<number>;

  readonly #options: LineTransportOptions;
  readonly #lines: LineReader;
  /** Requests that were received and not answered yet. */
  readonly #pending = new Set<RequestId>();
  /** Those of them whose answers are being written, to a client that may be slow to read. */
  readonly #answering = new Set<RequestId>();
  #onAnswered: (() => void) | undefined;
  #tellClosed: (endedAt: number) => void = () => undefined;
  #endedAt: number | undefined;
  #isClosed = false;

  constructor(options: LineTransportOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#tellClosed = resolve;
    });
    this.#lines = new LineReader(STDIO_DEFAULT_MAX_BUFFER_SIZE, {
      onLine: (line) => this.#receive(line),
      onTooLong: (head, tail) => this.#refuseTooLong(head, tail),
    });
  }

  async start(): Promise<void> {
    const { input } = this.#options;
    input.on("data", this.#read);
    input.on("end", this.#endOfInput);
    input.on("close", this.#endOfInput);
    input.on("error", this.#endOfInput);
    if (input.readableEnded || input.destroyed) setImmediate(this.#endOfInput);
  }

  /** Takes no more messages, answers those it has, for `graceMs` at most, and closes. */
  async finish(): Promise<void> {
    if (this.#endedAt !== undefined) return;
    this.#endedAt = Date.now();
    this.#options.input.off("data", this.#read).pause();
    if (this.#pending.size > 0) await this.#answered(this.#options.graceMs);
    if (this.#pending.size > 0 && !this.#isClosed) {
      this.#options.onLate?.();
      await this.#answered(LATE_MS);
    }
    await this.#refusePending();
    await this.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) throw new Error("The connection is closed.");
    const answered = "method" in message ? undefined : message.id;
    if (answered !== undefined) this.#answering.add(answered);
    try {
      await this.#options.output.write(serializeMessage(message));
    } catch (error) {
      void this.close();
      throw error;
    }
    this.#settle(answered);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#endedAt ??= Date.now();
    const { input } = this.#options;
    input.off("data", this.#read).off("end", this.#endOfInput).off("close", this.#endOfInput).pause();
    this.#onAnswered?.();
    this.onclose?.();
    this.#tellClosed(this.#endedAt);
  }

  readonly #read = (chunk: Buffer): void => this.#lines.push(chunk);

  readonly #endOfInput = (): void => {
    if (this.#endedAt === undefined) this.#lines.end();
    void this.finish();
  };

  async #refusePending(): Promise<void> {
    const left = [...this.#pending].filter((id) => !this.#answering.has(id));
    if (left.length === 0 || this.#isClosed) return;
    this.#options.log(`Requests were not answered when the server had to end: ${left.length}.`);
    const message = "The server had to end before this was answered. It is not known whether it was carried out.";
    const refused = left.map((id) => this.#answerError(id, message, INTERNAL_ERROR));
    await within(Promise.all(refused), LATE_MS);
  }

  #answered(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#onAnswered = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  #settle(id: RequestId | undefined): void {
    if (id === undefined) return;
    this.#pending.delete(id);
    this.#answering.delete(id);
    if (this.#pending.size === 0) this.#onAnswered?.();
  }

  #receive(line: string): void {
    const text = line.replace(/^\uFEFF/, "").trim();
    if (text === "" || this.#isClosed) return;
    const message = parseLine(text);
    const checked = specTypeSchemas.JSONRPCMessage["~standard"].validate(loosenMessage(message));
    if (checked.issues !== undefined) this.#refuse(message);
    else this.#deliver(checked.value);
  }

  #deliver(message: JSONRPCMessage): void {
    this.#expectAnswer(message);
    this.onmessage?.(message);
  }

  #expectAnswer(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    // Answered only when the connection ends: not to be waited for.
    if ("id" in message && message.method !== "subscriptions/listen") this.#pending.add(message.id);
    if (message.method === "notifications/cancelled") this.#settle(message.params?.requestId as RequestId | undefined);
  }

  /** A request with an id gets an answer, so that its client does not wait for ever. */
  #refuse(message: unknown): void {
    const { log, answer } = describeUnreadable(message);
    this.#options.log(log);
    for (const id of idsOf(message)) void this.#answerError(id, answer);
  }

  #refuseTooLong(head: string, tail: string): void {
    const what = `A message is larger than ${LIMIT_MB} MB and was not read.`;
    this.#options.log(what);
    const id = idAtAnEnd(head, tail);
    if (id !== undefined) void this.#answerError(id, `${what} Send the content in smaller parts.`);
  }

  #answerError(id: RequestId, message: string, code = INVALID_REQUEST): Promise<void> {
    return this.send({ jsonrpc: "2.0", id, error: { code, message } }).catch(() => undefined);
  }
}

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
