// A redacted deep copy of plain data. A string under a secret's name goes as a whole; every other string is
// redacted as text. Walks with its own stack, so that deep nesting and cycles do no harm.
import { strengthOf } from "./secret-names.ts";
import { isQuotedSecret } from "./secret-values.ts";
import { MARK } from "./spans.ts";

type Plain = Record<string, unknown> | unknown[];

interface Step {
  readonly from: Plain;
  readonly into: Plain;
}

/** `redactText` is applied to every string that no name gives away; `isAllowed` exempts exact values. */
export function redactJson(
  value: unknown,
  redactText: (text: string) => string,
  isAllowed: (text: string) => boolean,
): unknown {
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

  function fill({ from, into }: Step): void {
    if (Array.isArray(from)) {
      for (const child of from) (into as unknown[]).push(copyOf(child));
      return;
    }
    for (const key of Object.keys(from)) {
      const child = from[key];
      const hides = typeof child === "string" && isSecretField(from, key, child) && !isAllowed(child);
      // Not an assignment: `__proto__` is an ordinary key in data.
      Object.defineProperty(into, key.length < 8 ? key : redactText(key), {
        value: hides ? MARK : copyOf(child),
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

/** `{password: "…"}`, and header or variable lists: `{name: "Authorization", value: "…"}`. */
function isSecretField(fields: Record<string, unknown>, key: string, value: string): boolean {
  const label = key === "value" ? (fields.name ?? fields.key) : undefined;
  const name = typeof label === "string" ? label : key;
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
