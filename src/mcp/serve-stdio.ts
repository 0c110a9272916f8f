// Serves one client over a pair of streams until it leaves or the server is stopped. Which streams, and what stops a
// process, is decided in cli/.
import type { Readable } from "node:stream";
import {
  type JSONRPCMessage,
  type RequestId,
  STDIO_DEFAULT_MAX_BUFFER_SIZE,
  serializeMessage,
  specTypeSchemas,
  type Transport,
} from "@modelcontextprotocol/server";
import { serveStdio as serveConnection } from "@modelcontextprotocol/server/stdio";
import { findExcess, MESSAGE_LIMITS } from "../text/parse-json.ts";
import { settledWithin } from "../timeout.ts";
import type { Log } from "./call-tool.ts";
import { isRecord, loosenMessage } from "./read-arguments.ts";
import type { RunningCalls } from "./running-calls.ts";
import type { ServerFactory } from "./server.ts";

export interface StdioOptions {
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
export async function serveStdio({ factory, input, output, running, log, signal }: StdioOptions): Promise<void> {
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

// The stdio transport: a line is a message, both ways. Its own, because the SDK's drops requests that are running when the
// input ends; this one answers what it has received before it says that it is closed, and survives lines that are no
// messages.

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
      onTooLong: (head, tail) => this.#refuseUnread(`is larger than ${LIMIT_MB} MB`, head, tail),
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
    await settledWithin(Promise.all(refused), LATE_MS);
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
    if (findExcess(text, MESSAGE_LIMITS) !== undefined) {
      this.#refuseUnread("has too many levels or values", text.slice(0, ENDS), text.slice(-ENDS));
      return;
    }
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

  #refuseUnread(fault: string, head: string, tail: string): void {
    const what = `A message ${fault} and was not read.`;
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

// Bytes to lines, in linear time, with a limit: a line that is too long is passed by without being held, and told by its
// two ends, where clients write the id of a request.

export interface LineHandlers {
  readonly onLine: (line: string) => void;
  readonly onTooLong: (head: string, tail: string) => void;
}

const ENDS = 200;
const LINE_FEED = 10;

export class LineReader {
  readonly #most: number;
  readonly #on: LineHandlers;
  #held: Buffer[] = [];
  #length = 0;
  /** Of a line that is too long: its ends so far. */
  #head: string | undefined;
  #tail = Buffer.alloc(0);

  constructor(mostBytes: number, on: LineHandlers) {
    this.#most = mostBytes;
    this.#on = on;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
      this.#hold(chunk.subarray(start, end));
      this.end();
      start = end + 1;
    }
    this.#hold(chunk.subarray(start));
  }

  /** What is held is a line, also where the input ends without a line feed. */
  end(): void {
    if (this.#head !== undefined) this.#on.onTooLong(this.#head, this.#tail.toString("utf8"));
    else if (this.#length > 0) this.#on.onLine(Buffer.concat(this.#held).toString("utf8"));
    this.#held = [];
    this.#length = 0;
    this.#head = undefined;
  }

  #hold(part: Buffer): void {
    if (this.#head !== undefined) {
      this.#keepTail(part);
      return;
    }
    this.#held.push(part);
    this.#length += part.length;
    if (this.#length <= this.#most) return;
    const line = Buffer.concat(this.#held);
    this.#held = [];
    this.#head = line.subarray(0, ENDS).toString("utf8");
    this.#tail = Buffer.alloc(0);
    this.#keepTail(line);
  }

  #keepTail(part: Buffer): void {
    this.#tail = Buffer.concat([this.#tail, part.subarray(-ENDS)]).subarray(-ENDS);
  }
}

/** What the log and the client are told. Undefined: no JSON. */
export function describeUnreadable(message: unknown): { readonly log: string; readonly answer: string } {
  if (Array.isArray(message)) {
    const answer =
      "Several messages in one line (a batch) are not part of this protocol. Send each on a line of its own.";
    return { log: "A line with several messages (a batch) was refused.", answer };
  }
  const log = `A line that is no ${message === undefined ? "JSON" : "JSON-RPC"} was ignored.`;
  return { log, answer: "This is no JSON-RPC 2.0 request." };
}

/** Of all requests in a batch, each id once. */
export function idsOf(message: unknown): ReadonlySet<RequestId> {
  const messages: readonly unknown[] = Array.isArray(message) ? message : [message];
  return new Set(messages.flatMap((one) => (isRecord(one) && "method" in one && isId(one.id) ? [one.id] : [])));
}

function isId(value: unknown): value is RequestId {
  return typeof value === "string" || typeof value === "number";
}

/** Clients write the id as the first or second member, or as the last: in both places it can be no other object's. */
export function idAtAnEnd(head: string, tail: string): RequestId | undefined {
  const first = /^\s{0,9}\{(?:"jsonrpc":\s?"2\.0",\s?)?"id":\s?(\d{1,15}|"[\w-]{1,60}"),/.exec(head);
  const last = /,\s?"id":\s?(\d{1,15}|"[\w-]{1,60}")\}\s{0,9}$/.exec(tail);
  const text = first?.[1] ?? last?.[1];
  return text === undefined ? undefined : (JSON.parse(text) as RequestId);
}
