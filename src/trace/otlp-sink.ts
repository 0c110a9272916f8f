// Sends each event as a span to an OpenTelemetry collector, OTLP/HTTP in JSON, with no SDK. How a span looks is decided
// in posting/otlp-record.ts, when and how it is sent in posting/posting-queue.ts.
import { endpointOf } from "./posting/endpoint.ts";
import { printable } from "./posting/log-lines.ts";
import { otlpBody, otlpPieces, readPartialSuccess } from "./posting/otlp-record.ts";
import { createPostingSink, type PostingOptions, type PostingSink } from "./posting/posting-queue.ts";
import type { Span } from "./span.ts";

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
export function createOtlpSink(options: OtlpSinkOptions): PostingSink {
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
    limits: { count: 512, bytes: POST_BYTES, frameBytes },
    encode: (span: Span) => otlpPieces(span, POST_BYTES - frameBytes - 1),
  };
  return createPostingSink("otlp", destination, options);
}

/** A collector may quote the header that it did not like. */
function withoutSecrets(words: string, secrets: readonly string[]): string {
  return secrets
    .filter(({ length }) => length >= 4)
    .reduce((text, secret) => text.replaceAll(secret, "<REDACTED>"), words);
}
