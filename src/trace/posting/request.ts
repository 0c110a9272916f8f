// One request with the runtime's own fetch: within a time, never redirected, its answer read to the end or given up, so
// that no connection stays taken. What a status means is left to deliver.ts.
import type { Endpoint } from "./endpoint.ts";

export type Reply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string; readonly retryAfterMs: number }
  | { readonly kind: "unreachable"; readonly reason: string }
  | { readonly kind: "timed-out" };

export interface Call {
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
