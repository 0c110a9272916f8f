// A stand-in for an OpenTelemetry collector: takes OTLP/HTTP in JSON on /v1/traces, strictly, and keeps every span.
import { type Behaviour, readBody, sendJson, startFaulty } from "../viewer/faults.ts";
import { type CollectedSpan, checkTraces, type TracesRequest, valuesOf } from "./check-traces.ts";

/** Of the original's own receiver by default; a post of ours has to be far below. */
const MAX_BODY_BYTES = 20 * 1_048_576;

export interface CollectorPost {
  readonly path: string;
  readonly status: number;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, unknown>>;
  /** What was wrong with it. */
  readonly fault?: string;
}

export interface Collector {
  readonly url: string;
  readonly posts: readonly CollectorPost[];
  readonly spans: readonly CollectedSpan[];
  readonly resources: readonly TracesRequest["resourceSpans"][number]["resource"][];
  /** Body of the next answers. */
  answerWith(body: unknown): void;
  behave(behaviour: Behaviour): void;
  close(): Promise<void>;
}

export async function startCollector(): Promise<Collector> {
  const posts: CollectorPost[] = [];
  const spans: CollectedSpan[] = [];
  const resources: TracesRequest["resourceSpans"][number]["resource"][] = [];
  let success: unknown = {};
  const server = await startFaulty(async (request, response) => {
    const body = await readBody(request);
    const { headers, url: path = "" } = request;
    const answer = (status: number, said: unknown, fault?: string) => {
      posts.push({ path, status, bytes: Buffer.byteLength(body), headers, ...(fault === undefined ? {} : { fault }) });
      sendJson(response, status, said);
    };
    if (request.method !== "POST" || new URL(path, "http://c").pathname !== "/v1/traces") return answer(404, {});
    if (headers["content-type"] !== "application/json") return answer(415, {});
    if (Buffer.byteLength(body) > MAX_BODY_BYTES) return answer(413, {});
    try {
      for (const { resource, scopeSpans } of checkTraces(body).resourceSpans) {
        resources.push(resource);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans));
      }
    } catch (error) {
      return answer(400, { code: 3, message: "bad" }, (error as Error).message);
    }
    answer(200, success);
  });
  return {
    ...server,
    posts,
    spans,
    resources,
    answerWith(body) {
      success = body;
    },
  };
}

export function attributesAt(collector: Collector, name: string): Record<string, unknown> | undefined {
  const found = collector.spans.find((span) => span.name === name);
  return found && valuesOf(found.attributes);
}
