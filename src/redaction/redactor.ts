// Makes a redactor from its settings: collects what the rules find, spares what is allowed, replaces the rest.
// Covered shapes are listed in token-shapes.ts and secret-names.ts; encoded secrets (base64 of a key file) and
// letters-only values inside code are not found.
import { findKeyedSecrets } from "./keyed-secrets.ts";
import { findPersonalDetails } from "./personal-details.ts";
import { findPrivateKeys } from "./private-keys.ts";
import { redactJson } from "./redact-json.ts";
import type { Redacted, Redactor } from "./redacted.ts";
import { replaceSpans, type Span } from "./spans.ts";
import { createShapeFinder } from "./token-shapes.ts";
import { compilePatterns, findUserSecrets } from "./user-patterns.ts";

export interface RedactorOptions {
  /** Default true. When false, values pass unchanged. */
  readonly enabled?: boolean;
  /** Regular expressions beside the built-in rules; a leading `(?i)` is read. A capture group narrows what goes. */
  readonly patterns?: readonly string[];
  /** Exact values that are never redacted. */
  readonly allow?: readonly string[];
  /** Also e-mail addresses, telephone numbers and payment cards. Default false. */
  readonly pii?: boolean;
}

/** @throws CompactError `InvalidConfig` for a pattern that cannot be read or could run away. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const { enabled = true, patterns = [], allow = [], pii = false } = options;
  const compiled = compilePatterns(patterns);
  const allowed = new Set(allow);
  const findShapes = createShapeFinder();
  if (!enabled) return { isEnabled: false, text: (text) => asRedacted(text), json: (value) => asRedacted(value) };

  function redactText(text: string): string {
    const spans: Span[] = [...findKeyedSecrets(text), ...findShapes(text), ...findPrivateKeys(text)];
    if (compiled.length > 0) spans.push(...findUserSecrets(text, compiled));
    if (pii) spans.push(...findPersonalDetails(text));
    const kept = allowed.size === 0 ? spans : spans.filter(({ start, end }) => !allowed.has(text.slice(start, end)));
    return replaceSpans(text, kept);
  }

  return {
    isEnabled: true,
    text: (text) => asRedacted(redactText(text)),
    json: <T>(value: T) => asRedacted(redactJson(value, redactText, (text) => allowed.has(text)) as T),
  };
}

/** The only place where the brand is given. */
function asRedacted<T>(value: T): Redacted<T> {
  return value as Redacted<T>;
}
