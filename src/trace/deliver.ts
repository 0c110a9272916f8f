// Brings one batch to its endpoint, whatever it takes within the time: one retry, smaller posts for an endpoint that
// finds them too large, and of a batch that holds something bad all but that.
import { CompactError } from "../errors.ts";

/** A record in the endpoint's own format. */
export interface Piece {
  readonly json: string;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
  /** 1, or 0 for what only goes with another piece. */
  readonly events: 0 | 1;
  /** Of a piece that must follow the others of its post. */
  readonly isLast?: boolean;
}

/** Why an endpoint takes nothing for now. */
export interface Failure {
  readonly reason: string;
  /** It took the whole time to find out: asking again costs as much. */
  readonly isSlow: boolean;
  /** What the endpoint asks for. */
  readonly retryAfterMs: number;
}

export interface Answer {
  /** Events that the endpoint took out of a post that it accepted. */
  readonly rejected: number;
  readonly words: string;
}

export interface Delivery {
  /** Events that the endpoint would not take, each by itself or out of a post. */
  readonly rejected: number;
  /** Why, of the last one; also set where the endpoint only warns. */
  readonly complaint?: string;
  /** Events that went down with `failure`. */
  readonly lost: number;
  readonly failure?: Failure;
}

export interface Route {
  readonly endpoint: Endpoint;
  readonly bodyOf: (pieces: readonly Piece[]) => string;
  /** What the body of a success says besides. */
  readonly readAnswer?: (body: string) => Answer | undefined;
}

/** About what was posted, not about the endpoint. */
const REFUSALS: ReadonlySet<number> = new Set([400, 413, 422]);
const RETRY_AFTER_MS = 50;
const JITTER_MS = 100;

/** Never rejects. */
export async function deliver(
  batch: readonly Piece[],
  route: Route,
  deadline: number,
  signal: AbortSignal,
): Promise<Delivery> {
  const waiting: (readonly Piece[])[] = [batch];
  let rejected = 0;
  let isTaken = false;
  let complaint: string | undefined;
  const done = (lost: number, failure?: Failure): Delivery => ({
    rejected,
    lost,
    ...(complaint === undefined ? {} : { complaint }),
    ...(failure === undefined ? {} : { failure }),
  });
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const reply = await postTwice({ endpoint: route.endpoint, body: route.bodyOf(part), deadline, signal });
    if (isRefusal(reply)) {
      if (part.length > 1) waiting.push(...halvesOf(part));
      else [rejected, complaint] = [rejected + countEvents(part), statusOf(reply)];
      continue;
    }
    const failure = failureOf(reply);
    if (failure !== undefined) return done(countEvents(part) + countEvents(waiting.flat()), failure);
    const answer = reply.kind === "answered" ? route.readAnswer?.(reply.text) : undefined;
    // A server may say any number.
    if (answer !== undefined) {
      rejected += Math.min(answer.rejected, countEvents(part));
      complaint = answer.words;
    }
    isTaken = true;
  }
  // Not one of several: it is the endpoint that refuses, and asking it again at once would be as many posts.
  const count = countEvents(batch);
  if (isTaken || count < 2) return done(0);
  return { rejected: 0, lost: count, failure: { reason: complaint ?? "refused", isSlow: false, retryAfterMs: 0 } };
}

function countEvents(pieces: readonly Piece[]): number {
  return pieces.reduce((sum, piece) => sum + piece.events, 0);
}

/** Undefined where the endpoint took it. */
export function failureOf(reply: Reply): Failure | undefined {
  if (reply.kind === "timed-out") return { reason: "no answer in time", isSlow: true, retryAfterMs: 0 };
  if (reply.kind === "unreachable") return { reason: reply.reason, isSlow: false, retryAfterMs: 0 };
  const { status, retryAfterMs } = reply;
  if (status >= 200 && status < 300) return undefined;
  const isRedirect = status >= 300 && status < 400;
  const reason = isRedirect ? `${statusOf(reply)}, and redirects are not followed` : statusOf(reply);
  return { reason, isSlow: false, retryAfterMs };
}

function statusOf(reply: Reply): string {
  return reply.kind === "answered" ? `status ${reply.status}` : reply.kind;
}

/** In the order of a stack: what is older leaves first. */
function halvesOf(part: readonly Piece[]): [readonly Piece[], readonly Piece[]] {
  const middle = Math.ceil(part.length / 2);
  return [part.slice(middle), part.slice(0, middle)];
}

/** Too large, or something in it is bad. By halves a bad record of 500 is found in 18 posts instead of 500. */
function isRefusal(reply: Reply): boolean {
  return reply.kind === "answered" && REFUSALS.has(reply.status);
}

async function postTwice(call: Parameters<typeof request>[0]): Promise<Reply> {
  const reply = await request(call);
  if (!isPassing(reply)) return reply;
  // Not all clients of a server that stumbles come back at once.
  await new Promise((resolve) => unheld(setTimeout(resolve, RETRY_AFTER_MS + Math.random() * JITTER_MS)));
  return request(call);
}

/** What may be over in a moment. A time-out is not: it used the time up. */
function isPassing(reply: Reply): boolean {
  return reply.kind === "unreachable" || (reply.kind === "answered" && (reply.status >= 500 || reply.status === 429));
}

// One request with the runtime's own fetch: within a time, never redirected, its answer read to the end or given up, so
// that no connection stays taken. What a status means is left to deliver.ts.

type Reply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string; readonly retryAfterMs: number }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "timed-out" };

interface Call {
  readonly endpoint: Endpoint;
  /** Absent: a GET. */
  readonly body?: string;
  /** In the time of `performance.now()`. */
  readonly deadline: number;
  /** Ends the request early. */
  readonly signal: AbortSignal;
}

const MAX_ANSWER_BYTES = 65_536;
export const LAST_LOOK_MS = 20;

/** Never rejects. */
export async function request(call: Call): Promise<Reply> {
  const { endpoint, body, signal } = call;
  const stop = new AbortController();
  const left = call.deadline - performance.now();
  if (left <= 0 || signal.aborted) return { kind: "timed-out" };
  const abort = () => stop.abort();
  const cancel = afterLastLook(abort, left, LAST_LOOK_MS, unheld);
  signal.addEventListener("abort", abort, { once: true });
  try {
    const response = await fetch(endpoint.url, {
      ...(body === undefined ? { method: "GET" } : { method: "POST", body }),
      headers: endpoint.headers,
      redirect: "manual",
      signal: stop.signal,
    });
    // A redirect that the runtime hides has status 0.
    const status = response.type === "opaqueredirect" ? 302 : response.status;
    return { kind: "answered", status, retryAfterMs: retryAfterOf(response.headers), text: await readText(response) };
  } catch (error) {
    return stop.signal.aborted ? { kind: "timed-out" } : { kind: "unreachable", reason: systemCodeOf(error) };
  } finally {
    cancel();
    signal.removeEventListener("abort", abort);
  }
}

/** A timer that does not keep a program alive; other runtimes than Node have none that does. */
export function unheld(timer: ReturnType<typeof setTimeout>): ReturnType<typeof setTimeout> {
  (timer as { unref?: () => unknown }).unref?.();
  return timer;
}

/**
 * A time-out in two steps. A program that was busy until now may find the answer waiting: timers come before sockets. Gives
 * what cancels it.
 */
export function afterLastLook(
  act: () => void,
  milliseconds: number,
  lookMs: number,
  hold: (timer: ReturnType<typeof setTimeout>) => ReturnType<typeof setTimeout> = (timer) => timer,
): () => void {
  let timer = hold(
    setTimeout(() => {
      timer = hold(setTimeout(act, lookMs));
    }, milliseconds - lookMs),
  );
  return () => clearTimeout(timer);
}

/** A peer that sends without end is not listened to. */
async function readText(response: Response): Promise<string> {
  if (response.body === null) return "";
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  for (let size = 0; ; ) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    size += value.byteLength;
    if (size > MAX_ANSWER_BYTES) break;
    text += decoder.decode(value, { stream: true });
  }
  await reader.cancel().catch(() => {});
  return text;
}

/** Milliseconds; 0 where nothing readable is asked. Dates are rare and need a right clock, so they are not read. */
function retryAfterOf(headers: Headers): number {
  const seconds = headers.get("retry-after") ?? "";
  return /^\d{1,5}$/.test(seconds) ? Number(seconds) * 1_000 : 0;
}

/** Fetch hides the system's code in `cause`; of several addresses tried, in the first of `errors`. Messages may quote the URL. */
function systemCodeOf(error: unknown): string {
  let link: unknown = error;
  for (let depth = 0; depth < 6 && typeof link === "object" && link !== null; depth++) {
    const { code, cause, errors } = link as { code?: unknown; cause?: unknown; errors?: unknown };
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code)) return code;
    link = cause ?? (Array.isArray(errors) ? (errors[0] as unknown) : undefined);
  }
  return "no connection";
}

// Where a sink posts to. Decides which addresses are taken, when the sink is made: a wrong one is the caller's mistake
// and is told then, not in a log line later.

export interface Endpoint {
  readonly url: string;
  readonly headers: Headers;
  /** Without the query, which may hold a key: what log lines show. */
  readonly shown: string;
}

interface EndpointOptions {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** "Ariadne", "OTLP": in messages. */
  readonly label: string;
  /** "/ingest": added to a base address, not to one that ends in it already. */
  readonly path: string;
  /** What a good address looks like. */
  readonly example: string;
}

/** @throws CompactError `InvalidConfig`: `INVALID_URL`, `INVALID_HEADER`. Never quotes the address or a header: keys stand there. */
export function endpointOf(options: EndpointOptions): Endpoint {
  const url = readUrl(options);
  const base = url.pathname.replace(/\/$/, "");
  url.pathname = base.endsWith(options.path) ? base : base + options.path;
  url.hash = "";
  return { url: url.href, headers: headersOf(options), shown: url.origin + url.pathname };
}

/** Another path of the same server, beside the endpoint's own: a health check. */
export function besideEndpoint(endpoint: Endpoint, path: string, other: string): Endpoint {
  const url = new URL(endpoint.url);
  url.pathname = url.pathname.slice(0, -path.length) + other;
  return { ...endpoint, url: url.href, shown: url.origin + url.pathname };
}

function readUrl({ url: written, label, example }: EndpointOptions): URL {
  const url = typeof written === "string" && URL.canParse(written) ? new URL(written) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CompactError("InvalidConfig", `The URL of the ${label} sink must be an http or https URL`, {
      code: "INVALID_URL",
      hint: `Write it like ${example}.`,
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new CompactError("InvalidConfig", `The URL of the ${label} sink must not hold a user or password`, {
      code: "INVALID_URL",
      hint: "Take them out of the URL; where the server wants them, send an authorization header from `headers`.",
    });
  }
  return url;
}

function headersOf({ headers: given = {}, label }: EndpointOptions): Headers {
  const headers = new Headers({ "content-type": "application/json" });
  for (const [name, value] of Object.entries(given)) {
    try {
      headers.set(name, value);
    } catch {
      // The runtime's error quotes the value, which is often the key.
      throw new CompactError("InvalidConfig", `A header of the ${label} sink cannot be sent`, {
        code: "INVALID_HEADER",
        hint: "Look for line breaks and characters outside Latin-1 in its name and value.",
      });
    }
  }
  return headers;
}

// Keeps from asking an endpoint that does not answer. One that failed is left alone for a while, longer each time, so
// that neither a flush nor a program's end waits once per batch for a server that is not there.

const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;

export class Pause {
  #until = 0;
  #length = FIRST_MS;
  #isSlow = false;

  /** Milliseconds that it still lasts. */
  get left(): number {
    return Math.max(0, this.#until - performance.now());
  }

  /** Begun by a failure that took its whole time: even one who waits for the result does not try again now. */
  get holdsEveryone(): boolean {
    return this.#isSlow && this.left > 0;
  }

  begin({ isSlow, retryAfterMs }: Failure): void {
    this.#isSlow = isSlow;
    this.#until = performance.now() + Math.min(LONGEST_MS, Math.max(this.#length, retryAfterMs));
    this.#length = Math.min(LONGEST_MS, this.#length * 2);
  }

  end(): void {
    this.#until = 0;
    this.#length = FIRST_MS;
  }
}
