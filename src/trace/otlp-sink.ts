// Sends each event as a span to an OpenTelemetry collector, OTLP/HTTP in JSON, with no SDK. When and how they
// are sent is decided in posting-queue.ts.
import { type Answer, endpointOf, type Piece } from "./deliver.ts";
import { type PostingOptions, PostingQueue } from "./posting-queue.ts";
import {
  attributesOf,
  callsModel,
  cutToBytes,
  failureOf,
  fitObject,
  fitRecord,
  isRunEnd,
  PACKAGE_NAME,
  PACKAGE_VERSION,
  type Room,
  type Span,
} from "./span.ts";
import type { ClosableSink } from "./trace-sink.ts";

export interface OtlpSinkOptions extends PostingOptions {
  /** The collector's base address, or the full path of its traces, which ends in `/v1/traces`. */
  readonly url: string;
  /** Of each request: an authorization, a tenant. Never shown. */
  readonly headers?: Readonly<Record<string, string>>;
}

const POST_BYTES = 1_000_000;

/**
 * Never throws after it was made, never rejects; failures, and what the collector takes out of a post, are lines with
 * `[OTLP]`.
 *
 * @throws CompactError `InvalidConfig` (`INVALID_URL`, `INVALID_HEADER`).
 */
export function createOtlpSink(options: OtlpSinkOptions): ClosableSink {
  const { url, headers = {} } = options;
  const endpoint = endpointOf({ url, headers, label: "OTLP", path: "/v1/traces", example: "http://localhost:4318" });
  const secrets = Object.values(headers).flatMap((value) => [value, ...value.split(" ")]);
  const readAnswer = (body: string) => {
    const answer = readPartialSuccess(body);
    return answer && { ...answer, words: printable(withoutSecrets(answer.words, secrets)) };
  };
  const frameBytes = otlpBody([]).length;
  const destination = {
    label: "OTLP",
    advice: "Check that the collector listens there for OTLP over HTTP, and the headers that it wants.",
    route: { endpoint, bodyOf: otlpBody, readAnswer },
    count: 512,
    bytes: POST_BYTES - frameBytes,
    encode: (span: Span) => otlpPieces(span, POST_BYTES - frameBytes - 1),
  };
  return new PostingQueue("otlp", destination, options);
}

/** A collector may quote the header that it did not like. */
function withoutSecrets(words: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= 4)
    .reduce((text, secret) => text.replaceAll(secret, "<REDACTED>"), words);
}

/** On one line, without control characters, short. */
function printable(words: string): string {
  return words
    .slice(0, 200)
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .trim();
}

// A span as OTLP/HTTP carries it in JSON: ids in hex, times in nanoseconds as strings, every attribute with its type.

/** Kinds of spans and status codes of the protocol. */
const INTERNAL = 1;
const CLIENT = 3;
const OK = 1;
const ERROR = 2;

/** Undefined where the span has no time. */
function otlpPieces(span: Span, maxBytes: number): readonly Piece[] | undefined {
  if (!Number.isFinite(span.startedAt) || !Number.isFinite(span.endedAt)) return undefined;
  const attributes = attributesOf(span);
  const encoded = fitRecord((room) => spanRecord(span, attributes, room), maxBytes);
  return encoded === undefined ? undefined : [{ ...encoded, events: 1 }];
}

function otlpBody(pieces: readonly Piece[]): string {
  const named = {
    attributes: [attribute("service.name", PACKAGE_NAME), attribute("service.version", PACKAGE_VERSION)],
  };
  const scope = { name: PACKAGE_NAME, version: PACKAGE_VERSION };
  const spans = pieces.map(({ json }) => json).join(",");
  return `{"resourceSpans":[{"resource":${JSON.stringify(named)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[${spans}]}]}]}`;
}

/** What a collector took out of a post that it accepted, and what it warns of. */
function readPartialSuccess(body: string): Answer | undefined {
  try {
    const { partialSuccess } = JSON.parse(body) as { partialSuccess?: unknown };
    if (typeof partialSuccess !== "object" || partialSuccess === null) return undefined;
    const { rejectedSpans = 0, errorMessage = "" } = partialSuccess as Record<string, unknown>;
    const rejected = Math.max(0, Math.trunc(Number(rejectedSpans)) || 0);
    const words = typeof errorMessage === "string" ? errorMessage : "";
    return rejected === 0 && words === "" ? undefined : { rejected, words: words === "" ? "no reason given" : words };
  } catch {
    return undefined;
  }
}

function spanRecord(span: Span, attributes: ReturnType<typeof attributesOf>, room: Room): Record<string, unknown> {
  return {
    traceId: span.traceId,
    spanId: span.spanId,
    ...(span.parentId === undefined ? {} : { parentSpanId: span.parentId }),
    name: span.event.event,
    kind: callsModel(span.event) ? CLIENT : INTERNAL,
    startTimeUnixNano: nanoseconds(span.startedAt),
    endTimeUnixNano: nanoseconds(Math.max(span.startedAt, span.endedAt)),
    attributes: Object.entries(fitObject(attributes, room)).map(([key, value]) => attribute(key, value)),
    status: statusOf(span, room),
  };
}

function statusOf({ event, isError }: Span, room: Room): Record<string, unknown> {
  if (!isError) return isRunEnd(event) && event.outcome === "completed" ? { code: OK } : {};
  return { code: ERROR, message: cutToBytes(failureOf(event), Math.min(room.stringBytes, 4_000)) };
}

/** Beyond what a number holds exactly, so as digits. */
function nanoseconds(milliseconds: number): string {
  const whole = Math.trunc(milliseconds);
  return String(BigInt(whole) * 1_000_000n + BigInt(Math.round((milliseconds - whole) * 1e6)));
}

function attribute(key: string, value: unknown): Record<string, unknown> {
  return { key, value: anyValue(value) };
}

function anyValue(value: unknown): Record<string, unknown> {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(anyValue) } };
  if (typeof value === "boolean") return { boolValue: value };
  if (typeof value !== "number") return { stringValue: String(value) };
  // Whole numbers are 64 bits wide there and written as digits.
  if (Number.isSafeInteger(value)) return { intValue: String(value) };
  return { doubleValue: Number.isFinite(value) ? value : String(value) };
}
