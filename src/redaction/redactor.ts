// Makes a redactor from its settings: collects what the rules find, spares what is allowed, replaces the rest.
// What is covered and what is not (encoded secrets, letters-only values inside code) is told in
// docs/reference/redaction.md.
import { type FindSecrets, findBuiltInSecrets } from "./find-secrets.ts";
import { findLiterals, spellLiterals } from "./literals.ts";
import { outsideMarks } from "./outside-marks.ts";
import { compilePatterns, findUserSecrets } from "./patterns/user-patterns.ts";
import { createPersonalRules, findPersonalDetails, withoutHosts } from "./personal-details.ts";
import { redactJson } from "./redact-json.ts";
import type { Redacted, Redactor } from "./redacted.ts";
import { replaceRanges, wholeCharacters } from "./spans.ts";

export interface RedactorOptions {
  /** Default true. When false, values pass unchanged. */
  readonly enabled?: boolean;
  /** Regular expressions beside the built-in rules; a leading `(?i)` is read. A capture group narrows what goes. */
  readonly patterns?: readonly string[];
  /**
   * Exact values that always go, as text and not as patterns; at least 4 characters, empty ones are ignored. Take them
   * from the environment or a secret store: a file that lists secrets is one more leak.
   */
  readonly literals?: readonly string[];
  /** Exact values that are never redacted. */
  readonly allow?: readonly string[];
  /** Also e-mail addresses, telephone numbers, payment cards, IBANs and public IP addresses. Default false. */
  readonly pii?: boolean;
}

const MOST_PASSES = 5;

/** @throws CompactError `InvalidConfig` for a pattern that cannot be read or could run away, or too short a literal. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const find = createFinder(options);
  if (options.enabled === false) {
    return { isEnabled: false, text: (text) => asRedacted(text), json: (value) => asRedacted(value) };
  }
  const redactText = (text: string) => redactAll(text, find);
  const allowed = new Set(options.allow);
  const strings = { text: redactText, isAllowed: (text: string) => allowed.has(text) };
  return {
    isEnabled: true,
    text: (text) => asRedacted(redactText(text)),
    json: <T>(value: T) => asRedacted(redactJson(value, strings) as T),
  };
}

/**
 * What a redactor of these options would replace, each with the id of the rule that found it; finds may overlap.
 * @throws as `createRedactor`.
 */
export function createFinder({ patterns = [], literals = [], allow = [], pii = false }: RedactorOptions): FindSecrets {
  const compiled = compilePatterns(patterns);
  const spelled = spellLiterals(literals);
  const allowed = new Set(allow);
  const personal = pii ? createPersonalRules() : [];
  return (text) => {
    const builtIn = findBuiltInSecrets(text);
    const finds = [
      ...builtIn,
      ...findLiterals(text, spelled),
      ...findUserSecrets(text, compiled),
      ...withoutHosts(text, findPersonalDetails(text, personal), builtIn),
    ];
    return outsideMarks(text, finds)
      .map((find) => wholeCharacters(text, find))
      .filter(({ start, end }) => !allowed.has(text.slice(start, end)));
  };
}

/**
 * Again until nothing is found: what goes may have been the reason why its surroundings stayed. So a second redaction
 * changes nothing, and a text without finds costs one pass.
 */
function redactAll(text: string, find: FindSecrets): string {
  let redacted = text;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const next = replaceRanges(redacted, find(redacted));
    if (next === redacted) break;
    redacted = next;
  }
  return redacted;
}

/** The only place where the brand is given. */
function asRedacted<T>(value: T): Redacted<T> {
  return value as Redacted<T>;
}
