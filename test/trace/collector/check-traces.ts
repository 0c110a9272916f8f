// What a strict OpenTelemetry collector accepts as OTLP/HTTP in JSON: ids, times, and the shape of every value. Answers
// with what is wrong, by its path.
import * as z from "zod";

const traceId = z
  .string()
  .regex(/^[0-9a-f]{32}$/)
  .refine((id) => !/^0+$/.test(id));
const spanId = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .refine((id) => !/^0+$/.test(id));
/** 64 bits, as digits: a number would lose the last ones. */
const nanoseconds = z
  .string()
  .regex(/^[1-9]\d{0,19}$/)
  .refine((time) => BigInt(time) < 2n ** 64n);
const int64 = z.string().regex(/^-?\d{1,19}$/);

type AnyValue =
  | { stringValue: string }
  | { boolValue: boolean }
  | { intValue: string }
  | { doubleValue: number | string }
  | { arrayValue: { values: AnyValue[] } };

const scalar = [
  z.strictObject({ stringValue: z.string().refine((text) => text.isWellFormed?.() ?? true) }),
  z.strictObject({ boolValue: z.boolean() }),
  z.strictObject({ intValue: int64 }),
  z.strictObject({ doubleValue: z.union([z.number(), z.enum(["NaN", "Infinity", "-Infinity"])]) }),
] as const;

/** Lists hold values of one kind: backends store them so. */
const list = z.strictObject({
  arrayValue: z.strictObject({
    values: z
      .array(z.union(scalar))
      .refine((values) => new Set(values.map((value) => Object.keys(value)[0])).size <= 1),
  }),
});

const anyValue: z.ZodType<AnyValue> = z.union([...scalar, list]);
const keyValue = z.strictObject({ key: z.string().min(1), value: anyValue });
const attributes = z
  .array(keyValue)
  .refine((entries) => new Set(entries.map(({ key }) => key)).size === entries.length, "a key stands twice");

const span = z
  .strictObject({
    traceId,
    spanId,
    parentSpanId: spanId.optional(),
    name: z.string().min(1),
    kind: z.union([z.literal(1), z.literal(2), z.literal(3), z.literal(4), z.literal(5)]),
    startTimeUnixNano: nanoseconds,
    endTimeUnixNano: nanoseconds,
    attributes,
    status: z.strictObject({ code: z.literal([0, 1, 2]).optional(), message: z.string().optional() }),
  })
  .refine(
    ({ startTimeUnixNano, endTimeUnixNano }) => BigInt(endTimeUnixNano) >= BigInt(startTimeUnixNano),
    "ends early",
  )
  .refine(({ spanId: own, parentSpanId }) => own !== parentSpanId, "its own parent");

const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({ scope: z.strictObject({ name: z.string(), version: z.string() }), spans: z.array(span) }),
      ),
    }),
  ),
});

export type CollectedSpan = z.infer<typeof span>;
export type TracesRequest = z.infer<typeof request>;

/** @throws with the path of each fault. */
export function checkTraces(body: string): TracesRequest {
  return request.parse(JSON.parse(body));
}

/** Attributes as a program would read them. */
export function valuesOf(entries: readonly { key: string; value: AnyValue }[]): Record<string, unknown> {
  return Object.fromEntries(entries.map(({ key, value }) => [key, plain(value)]));
}

function plain(value: AnyValue): unknown {
  if ("arrayValue" in value) return value.arrayValue.values.map(plain);
  if ("intValue" in value) return Number(value.intValue);
  return Object.values(value)[0];
}
