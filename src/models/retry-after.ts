// How long a provider asks to wait: `retry-after-ms`, else `Retry-After` as seconds or as a date. Reads a Headers
// object or a plain record, because client libraries hand on either.
import type { Clock } from "../time.ts";

/** Milliseconds, at least 0. Undefined where nothing readable is asked. */
export function retryAfterOf(headers: unknown, now: Clock): number | undefined {
  const inMilliseconds = readNumber(headerOf(headers, "retry-after-ms"));
  if (inMilliseconds !== undefined) return Math.ceil(inMilliseconds);
  const value = headerOf(headers, "retry-after");
  const seconds = readNumber(value);
  if (seconds !== undefined) return Math.ceil(seconds * 1_000);
  return waitUntil(value, headerOf(headers, "date"), now);
}

/** Measured on the provider's own clock where it tells the time, so that a wrong clock here does not wait for hours. */
function waitUntil(value: string | undefined, sentAt: string | undefined, now: Clock): number | undefined {
  const until = Date.parse(value ?? "");
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(sentAt ?? "");
  return Math.max(0, until - (Number.isNaN(sent) ? now() : sent));
}

function readNumber(value: string | undefined): number | undefined {
  return value !== undefined && /^\s{0,9}\d{1,12}(?:\.\d{0,12})?\s{0,9}$/.test(value) ? Number(value) : undefined;
}

function headerOf(headers: unknown, name: string): string | undefined {
  if (typeof headers !== "object" || headers === null) return undefined;
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const key = Object.keys(headers).find((candidate) => candidate.toLowerCase() === name);
  const value = key === undefined ? undefined : (headers as Readonly<Record<string, unknown>>)[key];
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}
