// The caller's own patterns: compiled, checked and tried on hostile text when a redactor is made, and run over windows
// of bounded size, so that their time is linear in the text. Should one run away all the same, the text is withheld.
import { CompactError } from "../../errors.ts";
import type { Find, Range } from "../spans.ts";
import { runsTooLong } from "./pattern-probe.ts";
import { couldBlowUp } from "./pattern-safety.ts";

const WINDOW = 4_096;
/** A match up to this long is always inside one window. */
const OVERLAP = 1_024;
const LONGEST_MATCH = 65_536;
/** Milliseconds for one pattern and one text, beside a hundred times what the probe lets pass. */
const PATIENCE = 5_000;
const PATIENCE_PER_CHARACTER = 0.05;

/**
 * @param patterns regular expressions as text; a leading `(?i)` makes one ignore case.
 * @throws CompactError `InvalidConfig` naming `redaction.patterns[i]`.
 */
export function compilePatterns(patterns: readonly string[]): readonly RegExp[] {
  return patterns.map((pattern, index) => compile(pattern, `redaction.patterns[${index}]`));
}

function compile(pattern: string, path: string): RegExp {
  if (typeof pattern !== "string") throw invalid(path, "must be a string", "Write the pattern as text.");
  const ignoresCase = pattern.startsWith("(?i)");
  const source = ignoresCase ? pattern.slice(4) : pattern;
  if (/\(\?[a-zA-Z-]+[:)]/.test(source)) {
    throw invalid(
      path,
      "has inline flags other than a leading (?i)",
      "Leave them out; only (?i) at the start is read.",
    );
  }
  if (source.length > 2_000) throw invalid(path, "is longer than 2,000 characters", "Split it.");
  if (couldBlowUp(source)) {
    throw invalid(
      path,
      "repeats a group that repeats or chooses inside, or refers back",
      "Write it without the nesting.",
    );
  }
  let expression: RegExp;
  try {
    expression = new RegExp(source, ignoresCase ? "dgi" : "dg");
  } catch (cause) {
    throw invalid(path, "is not a regular expression", "Check brackets and escapes.", cause);
  }
  if (new RegExp(expression.source, "i").test(""))
    throw invalid(path, "matches the empty text", "Make it ask for a character.");
  if (runsTooLong(expression, { window: WINDOW, step: WINDOW - OVERLAP, longest: LONGEST_MATCH })) {
    throw invalid(
      path,
      "takes over 50 ms on 100 KB of hostile text",
      "Bound its repeats ({1,64} rather than + or *), or let it begin with a fixed word.",
    );
  }
  return expression;
}

function invalid(path: string, what: string, hint: string, cause?: unknown): CompactError {
  return new CompactError("InvalidConfig", `${path} ${what}`, { code: "INVALID_PATTERN", hint, data: { path }, cause });
}

/** `now`: milliseconds of a clock that only goes forward. */
export function findUserSecrets(
  text: string,
  patterns: readonly RegExp[],
  now: () => number = () => performance.now(),
): readonly Find[] {
  return patterns.flatMap((pattern, index) =>
    findOne(text, pattern, now).map((range) => ({ rule: `pattern-${index}`, ...range })),
  );
}

function findOne(text: string, pattern: RegExp, now: () => number): readonly Range[] {
  const ranges: Range[] = [];
  const latest = now() + PATIENCE + text.length * PATIENCE_PER_CHARACTER;
  for (let start = 0; start === 0 || start + OVERLAP < text.length; start += WINDOW - OVERLAP) {
    const isLast = start + WINDOW >= text.length;
    for (const match of text.slice(start, start + WINDOW).matchAll(pattern)) {
      const isCut = !isLast && match.index + match[0].length === WINDOW;
      ranges.push(isCut ? rematched(text, pattern, start + match.index, match) : secretIn(match, start));
    }
    // What was not looked through is not sent: the whole text goes.
    if (now() > latest) return [{ start: 0, end: text.length }];
  }
  return ranges.filter(({ start, end }) => end > start);
}

/** A match that ran into the window's end, tried once more with room behind it. */
function rematched(text: string, pattern: RegExp, at: number, cut: RegExpMatchArray): Range {
  const again = new RegExp(pattern.source, `${pattern.flags}y`).exec(text.slice(at, at + LONGEST_MATCH));
  return again === null ? secretIn(cut, at - (cut.index ?? 0)) : secretIn(again, at);
}

/** The capture group, else what follows the first `:` or `=`, without its quotes; else the whole match. */
function secretIn(match: RegExpMatchArray, offset: number): Range {
  const group = match.indices?.slice(1).find((range) => range !== undefined && range[1] > range[0]);
  if (group !== undefined) return { start: offset + group[0], end: offset + group[1] };
  const start = offset + (match.index ?? 0);
  const whole = match[0];
  const separator = /[:=]\s{0,64}/.exec(whole);
  const from = separator === null ? 0 : separator.index + separator[0].length;
  if (from === 0 || from === whole.length) return { start, end: start + whole.length };
  return insideQuotes(whole.slice(from), start + from);
}

function insideQuotes(value: string, start: number): Range {
  const opening = /^\\{0,8}["'`]/.exec(value)?.[0];
  if (opening === undefined) return { start, end: start + value.length };
  const closing = value.indexOf(opening, opening.length);
  return { start: start + opening.length, end: start + (closing === -1 ? value.length : closing) };
}
