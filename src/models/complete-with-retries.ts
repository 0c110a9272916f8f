// Asks a model until it answers: a time-out per attempt, back-off with jitter, the provider's own wish to wait. Only
// what may heal is tried again. Whether an answer is any good is the summarizer's to judge.
import { CompactError } from "../errors.ts";
import { withTimeout } from "../timeout.ts";
import { isModelFailure, modelFailure, readThrown } from "./failures.ts";
import type { Model, ModelAnswer, ModelRequest } from "./model.ts";

export interface RetryOptions {
  /** Calls at most, the first included. Default 3. */
  readonly attempts?: number;
  /** Per attempt, from request to whole answer. Default 30,000. */
  readonly timeoutMs?: number;
  /** Waits between attempts; for tests. */
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** 0 to 1, for jitter. */
  readonly random?: () => number;
  /** Told of each failed attempt (1-based) that will be followed by another, before the pause. */
  readonly onRetry?: (failure: CompactError, attempt: number) => void;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 8_000;
/** A provider that wants a longer pause is taken for down: somebody waits for this answer. */
const LONGEST_ASKED_MS = 30_000;

/**
 * @throws CompactError the last failure, with the number of failed calls as `data.failures`. An abort of `request.signal`
 * is thrown on with its reason, at once, also from a model that ignores the signal.
 */
export async function completeWithRetries(
  model: Model,
  request: ModelRequest,
  options: RetryOptions = {},
): Promise<ModelAnswer> {
  const { attempts = 3, timeoutMs = 30_000, sleep = pause, random = Math.random, onRetry } = options;
  for (let attempt = 1; ; attempt++) {
    const outcome = await attemptOnce(model, request, timeoutMs);
    if (!CompactError.isInstance(outcome)) return outcome;
    const asked = retryAfterOf(outcome);
    if (attempt >= attempts || !isTransient(outcome)) throw withFailures(outcome, attempt);
    if (asked > LONGEST_ASKED_MS) throw withFailures(outcome, attempt, asked);
    onRetry?.(outcome, attempt);
    const pauseMs = Math.max(asked, backOff(attempt, random));
    // A sleep that was handed in may ignore the signal, as a model may.
    await withTimeout(({ signal }) => sleep(pauseMs, signal), {
      timeoutMs: Number.POSITIVE_INFINITY,
      timeoutError: () => undefined,
      signal: request.signal,
    });
  }
}

/** The answer, or why there is none. Throws only the abort of the caller. */
async function attemptOnce(
  model: Model,
  request: ModelRequest,
  timeoutMs: number,
): Promise<ModelAnswer | CompactError> {
  try {
    return await withTimeout(async ({ signal }) => model.complete({ ...request, signal }), {
      timeoutMs,
      timeoutError: () => timedOut(model.name, timeoutMs),
      signal: request.signal,
    });
  } catch (error) {
    request.signal?.throwIfAborted();
    return CompactError.isInstance(error)
      ? error
      : readThrown(`The model "${model.name}"`, error, { maxTokens: request.maxTokens, keepsCause: true });
  }
}

function timedOut(name: string, timeoutMs: number): CompactError {
  return modelFailure("MODEL_TIMEOUT", `The model "${name}" gave no answer within ${timeoutMs} ms`, {
    hint: "Raise timeoutMs, or use a faster model.",
  });
}

function isTransient(failure: CompactError): boolean {
  return isModelFailure(failure) && (failure.code === "MODEL_UNAVAILABLE" || failure.code === "MODEL_TIMEOUT");
}

function retryAfterOf({ data: { retryAfterMs } }: CompactError): number {
  return typeof retryAfterMs === "number" && retryAfterMs > 0 ? retryAfterMs : 0;
}

/** Doubles with each attempt; half of it is chance, so that many sessions do not come back together. */
function backOff(attempt: number, random: () => number): number {
  const full = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempt - 1));
  return Math.round(full * (0.5 + random() / 2));
}

function withFailures(failure: CompactError, failures: number, asked?: number): CompactError {
  const wish = asked === undefined ? "" : `, and asks to wait ${Math.ceil(asked / 1_000)} s, more than is waited here`;
  return new CompactError(failure.kind, failure.message + wish, {
    code: failure.code,
    ...(failure.hint === undefined ? {} : { hint: failure.hint }),
    data: { ...failure.data, failures },
    cause: failure.cause,
  });
}

/** A pause that an abort ends at once, with the signal's reason. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, ms);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}
