// Brings one batch to its endpoint, whatever it takes within the time: one retry, smaller posts for an endpoint that
// finds them too large, and of a batch that holds something bad all but that.
import type { Endpoint } from "./endpoint.ts";
import { type Reply, request, unheld } from "./request.ts";

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
