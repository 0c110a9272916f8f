// Brings one batch to its endpoint, whatever it takes within the time: one retry, smaller posts for an endpoint that
// finds them too large, and of a batch that holds something bad all but that.
import { readAddress, readCapped, readHeaders, retryAfterOf, systemCodeOf } from "../http-client.ts";

/** A record in the endpoint's own format. */
export interface Piece {
  readonly json: string;
  /** UTF-8 bytes of `json`. */
  readonly bytes: number;
  /** 1, or 0 for what only goes with another piece. */
  readonly events: 0 | 1;
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
  readonly complaint?: string | undefined;
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
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    const reply = await postTwice({ endpoint: route.endpoint, body: route.bodyOf(part), deadline, signal });
    if (isRefusal(reply)) {
      // Too large, or something in it is bad. By halves a bad record of 500 is found in 18 posts.
      const middle = Math.ceil(part.length / 2);
      if (part.length > 1) waiting.push(part.slice(middle), part.slice(0, middle));
      else [rejected, complaint] = [rejected + countEvents(part), statusOf(reply)];
      continue;
    }
    const failure = failureOf(reply);
    if (failure !== undefined) return { rejected, complaint, failure, lost: countEvents([part, ...waiting].flat()) };
    const answer = reply.kind === "answered" ? route.readAnswer?.(reply.text) : undefined;
    if (answer !== undefined) {
      // A server may say any number.
      rejected += Math.min(answer.rejected, countEvents(part));
      complaint = answer.words;
    }
    isTaken = true;
  }
  // Not one of several: it is the endpoint that refuses, and asking it again at once would be as many posts.
  const count = countEvents(batch);
  if (isTaken || count < 2) return { rejected, complaint, lost: 0 };
  return { rejected: 0, lost: count, failure: { reason: complaint ?? "refused", isSlow: false, retryAfterMs: 0 } };
}

export function countEvents(pieces: readonly Piece[]): number {
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

/** Never rejects, never follows a redirect; reads the answer to its end or gives it up, so that no connection stays taken. */
export async function request(call: Call): Promise<Reply> {
  const { endpoint, body, signal } = call;
  const left = call.deadline - performance.now();
  if (left <= 0 || signal.aborted) return { kind: "timed-out" };
  const stop = new AbortController();
  const abort = () => stop.abort();
  const cancel = afterLastLook(abort, left, LAST_LOOK_MS, unheld);
  // Not AbortSignal.any: on Node 20 a signal that lives as long as a sink keeps something of each that was made of it.
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
    const retryAfterMs = retryAfterOf(response.headers, Date.now) ?? 0;
    return { kind: "answered", status, retryAfterMs, text: (await readCapped(response, MAX_ANSWER_BYTES)).text };
  } catch (error) {
    if (stop.signal.aborted) return { kind: "timed-out" };
    return { kind: "unreachable", reason: systemCodeOf(error) ?? "no connection" };
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
  readonly example: string;
}

/** @throws CompactError `InvalidConfig`: `INVALID_URL`, `INVALID_HEADER`. Never quotes the address or a header: keys stand there. */
export function endpointOf({ url: written, headers = {}, label, path, example }: EndpointOptions): Endpoint {
  const url = readAddress({
    url: written,
    path,
    what: `The URL of the ${label} sink`,
    code: "INVALID_URL",
    example,
    credentialsHint:
      "Take them out of the URL; where the server wants them, send an authorization header from `headers`.",
  });
  const all = readHeaders(`the ${label} sink`, { "content-type": "application/json" }, headers);
  return { url: url.href, headers: all, shown: url.origin + url.pathname };
}

/** Another path of the same server, beside the endpoint's own: a health check. */
export function besideEndpoint(endpoint: Endpoint, path: string, other: string): Endpoint {
  const url = new URL(endpoint.url);
  url.pathname = url.pathname.slice(0, -path.length) + other;
  return { ...endpoint, url: url.href, shown: url.origin + url.pathname };
}
