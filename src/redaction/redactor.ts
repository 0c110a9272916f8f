// Makes a redactor from its settings: collects what the rules find, spares what is allowed, replaces the rest.
// What is covered and what is not (encoded secrets, letters-only values inside code) is told in
// docs/reference/redaction.md.
import { type FindSecrets, findBuiltInSecrets } from "./find-secrets.ts";
import { createPersonalRules, findPersonalDetails, withoutHosts } from "./personal-details.ts";
import { redactJson } from "./redact-json.ts";
import { type Find, MARK, replaceRanges, wholeCharacters } from "./shapes.ts";
import { compilePatterns, findLiterals, findUserSecrets, spellLiterals } from "./user-patterns.ts";
import { viewOf } from "./view.ts";

export interface RedactorOptions {
  /** Default true. When false, values pass unchanged. */
  readonly enabled?: boolean | undefined;
  /** Regular expressions beside the built-in rules; a leading `(?i)` is read. A capture group narrows what goes. */
  readonly patterns?: readonly string[] | undefined;
  /**
   * Exact values that always go, as text and not as patterns; at least 4 characters, empty ones are ignored. Take them
   * from the environment or a secret store: a file that lists secrets is one more leak.
   */
  readonly literals?: readonly string[] | undefined;
  /** Exact values that are never redacted. */
  readonly allow?: readonly string[] | undefined;
  /** Also e-mail addresses, telephone numbers, payment cards, IBANs and public IP addresses. Default false. */
  readonly pii?: boolean | undefined;
}

const MOST_PASSES = 5;

/** @throws CompactError `InvalidConfig` for a pattern that cannot be read or could run away, or too short a literal. */
export function createRedactor(options: RedactorOptions = {}): Redactor {
  const find = createFinder(options);
  if (options.enabled === false) {
    return { isEnabled: false, find: () => [], text: (text) => asRedacted(text), json: (value) => asRedacted(value) };
  }
  const redactText = (text: string) => redactAll(text, find);
  const allowed = new Set(options.allow);
  const strings = { text: redactText, find, isAllowed: (text: string) => allowed.has(text) };
  return {
    isEnabled: true,
    find,
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
  const findAsWritten: FindSecrets = (text) => {
    const builtIn = findBuiltInSecrets(text);
    return [
      ...builtIn,
      ...findLiterals(text, spelled),
      ...findUserSecrets(text, compiled),
      ...withoutHosts(text, findPersonalDetails(text, personal), builtIn),
    ];
  };
  return (text) => {
    const view = viewOf(text);
    const seen = view === undefined ? [] : findAsWritten(view.text).map((find) => view.inText(find));
    return outsideMarks(text, [...findAsWritten(text), ...seen])
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

// A value from which secrets were removed, as a type: archives, sinks and models accept nothing else, so the
// compiler checks that redaction happened before an export. Only this folder makes one.

declare const REDACTED: unique symbol;

export type Redacted<T> = T & { readonly [REDACTED]: true };

export interface Redactor {
  /** False when redaction is switched off: values pass unchanged, and the manager warns. */
  readonly isEnabled: boolean;
  /** What `text` would replace, by the rule that found it; finds may overlap. */
  readonly find: FindSecrets;
  /** Replaces the value of each secret by `<REDACTED>`; all else stays to the byte. Linear time. */
  text(text: string): Redacted<string>;
  /** A deep copy of plain JSON data with every string redacted (keys too where they hold a secret); `null` prototypes and key order stay. */
  json<T>(value: T): Redacted<T>;
}

// What was redacted already is never redacted again: a find that reaches into a mark gives only what lies outside. Without
// it a pattern such as `[A-Z]{8}` would find the mark's own letters, and the text would grow with each pass.

export function outsideMarks(text: string, finds: readonly Find[]): readonly Find[] {
  return finds.flatMap((find) => {
    const pieces: Find[] = [];
    let { start } = find;
    // A mark may stand across either end.
    const from = Math.max(0, start - MARK.length + 1);
    const around = text.slice(from, find.end + MARK.length - 1);
    for (let at = around.indexOf(MARK); at !== -1; at = around.indexOf(MARK, at + MARK.length)) {
      if (from + at > start) pieces.push({ ...find, start, end: from + at });
      start = from + at + MARK.length;
    }
    return start < find.end ? [...pieces, { ...find, start }] : pieces;
  });
}
