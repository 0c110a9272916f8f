// A redacted deep copy of plain data. A string under a secret's name goes as a whole; every other string is
// redacted as text. Walks with its own stack, so that deep nesting and cycles do no harm.
import { cookiesFrom, type FindSecrets } from "./find-secrets.ts";
import { isQuotedSecret, strengthOf } from "./secret-values.ts";
import { isEncodedCredentials, MARK, type Range, replaceRanges } from "./shapes.ts";

type Plain = Record<string, unknown> | unknown[];

interface Step {
  readonly from: Plain;
  readonly into: Plain;
}

/** How strings go. */
export interface StringRedaction {
  /** Applied to every string that no name gives away. */
  readonly text: (text: string) => string;
  /** What of a text is a secret. */
  readonly find: FindSecrets;
  /** Exempts exact values. */
  readonly isAllowed: (text: string) => boolean;
}

export function redactJson(value: unknown, { text: redactText, find, isAllowed }: StringRedaction): unknown {
  const copies = new Map<object, Plain>();
  const steps: Step[] = [];

  function copyOf(child: unknown): unknown {
    if (typeof child === "string") return redactText(child);
    const plain = plainOf(child);
    if (plain === undefined) return typeof child === "object" && child !== null ? copyOf(jsonOf(child)) : child;
    const known = copies.get(plain);
    if (known !== undefined) return known;
    const into: Plain = Array.isArray(plain) ? [] : Object.create(Object.getPrototypeOf(plain));
    copies.set(plain, into);
    steps.push({ from: plain, into });
    return into;
  }

  function fieldOf(fields: Record<string, unknown>, key: string, child: unknown): unknown {
    if (typeof child !== "string") return copyOf(child);
    if (isAllowed(child)) return redactText(child);
    if (isSecretField(fields, key, child)) return MARK;
    const redacted = redactText(isCookieField(key) ? redactCookies(child, isAllowed) : child);
    // What went may have been why the rest stayed: asked again, so that a second redaction changes nothing.
    return redacted !== child && isSecretField(fields, key, redacted) ? MARK : redacted;
  }

  function fill({ from, into }: Step): void {
    if (Array.isArray(from)) {
      for (const child of withoutSplitSecrets(from, find)) (into as unknown[]).push(copyOf(child));
      return;
    }
    for (const key of Object.keys(from)) {
      // Not an assignment: `__proto__` is an ordinary key in data.
      Object.defineProperty(into, key.length < 8 ? key : redactText(key), {
        value: fieldOf(from, key, from[key]),
        writable: true,
        enumerable: true,
        configurable: true,
      });
    }
  }

  const copy = copyOf(value);
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) fill(step);
  return copy;
}

interface TextPart {
  readonly text: string;
}

function isTextPart(value: unknown): value is TextPart {
  return typeof plainOf(value) === "object" && typeof (value as { text?: unknown }).text === "string";
}

/** Neighbouring parts of a message are read as one text: a secret that stands in two of them goes from both. */
function withoutSplitSecrets(parts: readonly unknown[], find: FindSecrets): readonly unknown[] {
  const cut = [...parts];
  for (let first = 0; first < parts.length; first++) {
    let next = first;
    while (isTextPart(parts[next])) next++;
    const texts = (parts.slice(first, next) as TextPart[]).map(({ text }) => text);
    if (texts.length > 1)
      for (const [index, text] of cutAcross(texts, find).entries())
        if (text !== texts[index]) cut[first + index] = { ...(parts[first + index] as TextPart), text };
    first = Math.max(first, next);
  }
  return cut;
}

/** Only what reaches from one text into the next, or stands behind its name in the one before. */
function cutAcross(texts: readonly string[], find: FindSecrets): readonly string[] {
  const finds = disjoint(find(texts.join("")));
  let start = 0;
  let first = 0;
  return texts.map((text, index) => {
    const end = start + text.length;
    while ((finds[first]?.end ?? Number.POSITIVE_INFINITY) <= start) first++;
    const ranges: Range[] = [];
    for (let at = first; at < finds.length; at++) {
      const range = finds[at] as Range;
      const isSplit = (index > 0 && range.start <= start) || range.end > end;
      if (isSplit && range.start < end)
        ranges.push({ start: Math.max(0, range.start - start), end: Math.min(text.length, range.end - start) });
      if (range.end > end) break;
    }
    start = end;
    // With what stands in it alone, while the names before that are still there.
    return ranges.length === 0 ? text : replaceRanges(text, [...ranges, ...find(text)]);
  });
}

function disjoint(ranges: readonly Range[]): readonly Range[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of [...ranges].sort((left, right) => left.start - right.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}

type OwnField = (value: string, fields: Record<string, unknown>) => boolean;

/** Names that say nothing by themselves, and what their value must look like. */
const OWN_FIELDS: Readonly<Record<string, OwnField>> = Object.assign(Object.create(null), {
  auth: isEncodedCredentials,
  "client-key-data": (value: string) => value.length >= 20,
  // The private part of a JSON web key.
  d: (value: string, fields: Record<string, unknown>) => typeof fields.kty === "string" && value.length >= 16,
} satisfies Record<string, OwnField>);

function isCookieField(key: string): boolean {
  return /^(?:set-)?cookie$/i.test(key);
}

function redactCookies(value: string, isAllowed: (text: string) => boolean): string {
  return replaceRanges(
    value,
    cookiesFrom(value, 0).filter(({ start, end }) => !isAllowed(value.slice(start, end))),
  );
}

/** `{password: "…"}`, and header or variable lists: `{name: "Authorization", value: "…"}`. */
function isSecretField(fields: Record<string, unknown>, key: string, value: string): boolean {
  const label = key === "value" ? (fields.name ?? fields.key) : undefined;
  const name = typeof label === "string" ? label : key;
  const own = OWN_FIELDS[name.toLowerCase()];
  if (own !== undefined) return own(value, fields);
  const strength = strengthOf(name);
  return strength !== "none" && isQuotedSecret(value, strength, name);
}

function plainOf(value: unknown): Plain | undefined {
  if (Array.isArray(value)) return value;
  if (typeof value !== "object" || value === null) return undefined;
  const prototype: unknown = Object.getPrototypeOf(value);
  const isPlain = prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
  return isPlain && typeof (value as { toJSON?: unknown }).toJSON !== "function"
    ? (value as Record<string, unknown>)
    : undefined;
}

/** What is not plain (dates, class instances) is exported as its JSON. */
function jsonOf(value: object): unknown {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? null : (JSON.parse(text) as unknown);
  } catch {
    return null;
  }
}
