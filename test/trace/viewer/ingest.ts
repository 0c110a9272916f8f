// What the viewer's ingest accepts: two kinds of records, truncated first and then held against a schema that strips what it does not know. Written from the
// description of its behaviour.
import * as z from "zod";

const NAME_LENGTH = 1_024;
const STRING_LENGTH = 102_400;
export const TRUNCATED = "... [truncated]";

// By default only a time that ends in Z.
const time = z.iso.datetime().optional();
const inOrder = ({ started_at, ended_at }: { started_at?: string | undefined; ended_at?: string | undefined }) =>
  started_at === undefined || ended_at === undefined || Date.parse(ended_at) >= Date.parse(started_at);
const order = { path: ["ended_at"], message: "ended_at must not be before started_at" };

const trace = z
  .object({
    type: z.literal("trace"),
    trace_id: z.string().min(1),
    name: z.string().optional(),
    group_id: z.string().optional(),
    started_at: time,
    ended_at: time,
    metadata: z.record(z.string(), z.string()).optional(),
  })
  .refine(inOrder, order);

const span = z
  .object({
    type: z.literal("span"),
    trace_id: z.string().min(1),
    span_id: z.string().min(1),
    parent_id: z.string().optional(),
    kind: z.string().optional(),
    name: z.string().optional(),
    started_at: time,
    ended_at: time,
    data: z.record(z.string(), z.unknown()).optional(),
    status: z.enum(["ok", "error"]).optional(),
  })
  .refine(inOrder, order);

const record = z.union([trace, span]);
const posted = z.union([record, z.object({ batch: z.array(record) })]);

export type TraceRecord = z.infer<typeof trace>;
export type SpanRecord = z.infer<typeof span>;
export type ViewerRecord = TraceRecord | SpanRecord;

export type Ingested =
  | { readonly status: 200; readonly records: readonly ViewerRecord[] }
  | { readonly status: 400 | 500; readonly body: unknown };

/** What a body is answered with. Nothing of a post is taken when anything in it is bad. */
export function ingest(text: string): Ingested {
  let candidate: unknown;
  try {
    candidate = truncated(JSON.parse(text));
  } catch (error) {
    const body = { error: "Internal server error", message: (error as Error).message };
    return { status: 500, body };
  }
  const checked = posted.safeParse(candidate);
  if (!checked.success) {
    const details = checked.error.issues.map(({ path, message }) => ({ path, message }));
    return { status: 400, body: { error: "Validation failed", details } };
  }
  return { status: 200, records: "batch" in checked.data ? checked.data.batch : [checked.data] };
}

/** Throws on what has no properties, as the original does. */
function truncated(body: unknown): unknown {
  if (Array.isArray(body)) return body.map(truncatedRecord);
  if ("batch" in (body as object)) {
    const { batch } = body as { batch: unknown[] };
    return { batch: batch.map(truncatedRecord) };
  }
  return truncatedRecord(body);
}

function truncatedRecord(given: unknown): unknown {
  const result = { ...(given as Record<string, unknown>) };
  if (typeof result.name === "string") result.name = shortened(result.name, NAME_LENGTH);
  // By its entries: a list or a string becomes an object.
  if (result.data !== undefined && result.data !== null) result.data = truncatedObject(result.data as object);
  return result;
}

function truncatedObject(value: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, truncatedValue(item)]));
}

/** Strings inside lists are left as they are. */
function truncatedValue(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, STRING_LENGTH);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return truncatedObject(value);
}

function shortened(text: string, length: number): string {
  return text.length > length ? text.slice(0, length) + TRUNCATED : text;
}
