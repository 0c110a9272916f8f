// Small questions about parsed JSON that every format asks. Knows no provider, never throws.

export type JsonObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value if it is an array, else an empty one. */
export function asArray(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The value if it is a string, else "". */
export function asText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function isFilledText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

type WithoutUndefined<Fields> = {
  [Key in keyof Fields as undefined extends Fields[Key] ? never : Key]: Fields[Key];
} & { [Key in keyof Fields as undefined extends Fields[Key] ? Key : never]?: Exclude<Fields[Key], undefined> };

/** The fields that have a value, for where an absent field is not the same as one that is undefined. */
export function withoutUndefined<Fields extends object>(fields: Fields): WithoutUndefined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

/** JSON of any value: what the provider is sent. A value that JSON cannot hold (cycles, bigint) gives a placeholder. */
export function toJson(value: unknown, replace?: (key: string, field: unknown) => unknown): string {
  try {
    return JSON.stringify(value, replace) ?? "";
  } catch {
    return '"[not JSON]"';
  }
}

/** The fields of `value` that are set to something and are not among `known`. */
export function otherFields(value: JsonObject, known: ReadonlySet<string>): JsonObject | undefined {
  const others = Object.entries(value).filter(([key, field]) => !known.has(key) && !isUnset(field));
  return others.length === 0 ? undefined : Object.fromEntries(others);
}

function isUnset(field: unknown): boolean {
  return field === undefined || field === null || field === "" || (Array.isArray(field) && field.length === 0);
}

// Bytes that a value takes as JSON in UTF-8, without building the text: a request body is measured before every
// model call, and most of a large one is base64.

/** Past these a value is written out after all: it may hold itself. */
const DEEPEST = 200;
const MOST_VALUES = 200_000;

/** What `JSON.stringify` would write, in bytes. A value that JSON cannot hold counts as the placeholder sent for it. */
export function jsonBytes(value: unknown): number {
  let values = 0;

  function measure(item: unknown, depth: number): number {
    if (++values > MOST_VALUES || depth > DEEPEST) return Number.NaN;
    switch (typeof item) {
      case "string":
        return stringBytes(item);
      case "number":
        return Number.isFinite(item) ? String(item).length : 4;
      case "boolean":
        return item ? 4 : 5;
      case "object":
        if (item === null) return 4;
        if ("toJSON" in item) return Number.NaN;
        return Array.isArray(item) ? measureList(item, depth) : measureFields(item, depth);
      case "bigint":
        return Number.NaN;
      default:
        return 4;
    }
  }

  function measureList(list: readonly unknown[], depth: number): number {
    let bytes = 2 + Math.max(0, list.length - 1);
    for (const item of list) {
      bytes += measure(item, depth + 1);
      if (Number.isNaN(bytes)) break;
    }
    return bytes;
  }

  function measureFields(fields: object, depth: number): number {
    let bytes = 2;
    for (const [key, field] of Object.entries(fields)) {
      if (field === undefined || typeof field === "function" || typeof field === "symbol") continue;
      bytes += (bytes > 2 ? 1 : 0) + stringBytes(key) + 1 + measure(field, depth + 1);
      if (Number.isNaN(bytes)) break;
    }
    return bytes;
  }

  if (value === undefined) return 0;
  const bytes = measure(value, 0);
  return Number.isNaN(bytes) ? utf8Bytes(toJson(value)) : bytes;
}

// The same in one native pass for what needs no escape and no second byte, as base64 and most code does.
const NEEDS_MORE = /[^\x20-\x7e]|["\\]/;
const SHORT_ESCAPES = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d, 0x22, 0x5c]);

function stringBytes(text: string): number {
  if (!NEEDS_MORE.test(text)) return text.length + 2;
  let bytes = 2;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (SHORT_ESCAPES.has(unit)) bytes += 2;
    else if (unit < 0x20) bytes += 6;
    else if (unit < 0x80) bytes += 1;
    else if (unit < 0x800) bytes += 2;
    else if (unit < 0xd800 || unit > 0xdfff) bytes += 3;
    else if (isPair(text, at)) {
      bytes += 4;
      at += 1;
    } else bytes += 6;
  }
  return bytes;
}

function isPair(text: string, at: number): boolean {
  const next = text.charCodeAt(at + 1);
  return text.charCodeAt(at) <= 0xdbff && next >= 0xdc00 && next <= 0xdfff;
}

function utf8Bytes(text: string): number {
  return new TextEncoder().encode(text).length;
}
