// What every client of HTTP here needs: addresses and headers that are checked early and never quoted, bodies read up to
// a cap, what a peer asks to wait, and the code behind a connection that failed.
import { CompactError } from "./errors.ts";
import type { Clock } from "./time.ts";

interface AddressOptions {
  readonly url: string;
  /** Added to a base address, not to one that ends in it already. */
  readonly path: string;
  /** "The URL of the OTLP sink": begins messages. */
  readonly what: string;
  readonly code: string;
  readonly example: string;
  /** Where a user or a key belongs instead. */
  readonly credentialsHint: string;
}

/** @throws CompactError `InvalidConfig` with the code given. Never quotes the address: keys stand there. */
export function readAddress({ url: written, path, what, code, example, credentialsHint }: AddressOptions): URL {
  const url = typeof written === "string" && URL.canParse(written.trim()) ? new URL(written.trim()) : undefined;
  if (url === undefined || (url.protocol !== "http:" && url.protocol !== "https:")) {
    throw new CompactError("InvalidConfig", `${what} must be an http or https URL`, {
      code,
      hint: `Write it like ${example}.`,
    });
  }
  if (url.username !== "" || url.password !== "") {
    throw new CompactError("InvalidConfig", `${what} must not hold a user or password`, {
      code,
      hint: credentialsHint,
    });
  }
  const base = url.pathname.replace(/\/{1,9}$/, "");
  url.pathname = base.endsWith(path) ? base : base + path;
  url.hash = "";
  return url;
}

/** Later headers win. @throws CompactError `InvalidConfig` (`INVALID_HEADER`), without the value, which is often a key. */
export function readHeaders(of: string, ...given: readonly Readonly<Record<string, string>>[]): Headers {
  const headers = new Headers();
  for (const [name, value] of given.flatMap((record) => Object.entries(record))) {
    try {
      headers.set(name, value);
    } catch {
      throw new CompactError("InvalidConfig", `A header of ${of} cannot be sent`, {
        code: "INVALID_HEADER",
        hint: "Look for line breaks and characters outside Latin-1 in names, values and API keys.",
      });
    }
  }
  return headers;
}

interface CappedText {
  readonly text: string;
  /** There was more; the rest was not read. */
  readonly isCut: boolean;
}

/** `maxBytes` counts after decompression. Rejects as the stream does when it breaks. */
export async function readCapped(response: Response, maxBytes: number): Promise<CappedText> {
  if (response.body === null) return { text: "", isCut: false };
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  const pieces: string[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text: pieces.join("") + decoder.decode(), isCut: false };
    size += value.byteLength;
    if (size > maxBytes) {
      // The connection is given up either way.
      await reader.cancel().catch(() => {});
      return { text: pieces.join(""), isCut: true };
    }
    pieces.push(decoder.decode(value, { stream: true }));
  }
}

/** An error and what it names as its causes, nearest first. Bounded, so that a circle ends. */
export function causesOf(error: unknown): readonly Readonly<Record<string, unknown>>[] {
  const chain: Readonly<Record<string, unknown>>[] = [];
  for (let link = error; typeof link === "object" && link !== null && chain.length < 6; ) {
    const record = link as Readonly<Record<string, unknown>>;
    chain.push(record);
    link = record.cause ?? record.lastError ?? (Array.isArray(record.errors) ? record.errors[0] : undefined);
  }
  return chain;
}

/** The system's code in what fetch threw (`ECONNREFUSED`). Messages may quote the URL, so nothing else is read. */
export function systemCodeOf(error: unknown): string | undefined {
  const codes = causesOf(error).map(({ code }) => code);
  return codes.find((code): code is string => typeof code === "string" && /^[A-Z][A-Z0-9_]{2,40}$/.test(code));
}

/** What a peer asks to wait, in milliseconds: `retry-after-ms`, else `Retry-After` as seconds or a date. Undefined for nothing readable. */
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
