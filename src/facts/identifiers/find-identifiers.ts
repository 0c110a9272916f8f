// Finds the identifiers of one text. Addresses first, then paths; each is taken out before the next forms are
// searched, so `v2` in a link is no version. Linear in the text, whatever it holds.
import { runThrough, type Stepwise } from "../../tokens/turns/stepwise.ts";
import { findAddresses } from "./addresses.ts";
import { EVERYWHERE_PATTERNS, HASH_PATTERN, UUID_PATTERN } from "./everywhere-patterns.ts";
import { type Identifier, matchPattern, type Scope } from "./identifier.ts";
import { LINKED_PATTERNS } from "./linked-patterns.ts";
import { pathPatternFor, withLine } from "./paths.ts";
import { HANDLE_PATTERN, PERSON_PATTERNS } from "./person-patterns.ts";
import { SPOKEN_PATTERNS } from "./spoken-patterns.ts";
import { TOLD_PATTERNS, UNDERSCORE_PATTERN } from "./told-patterns.ts";

/** Of a longer text spoken forms are looked for at its beginning and end: the middle is pasted. */
const SPOKEN_UNITS = 24_000;
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Distinct identifiers of `text`, each where it first stands. */
export function findIdentifiers(text: string, scope: Scope = "document"): readonly Identifier[] {
  return runThrough(findIdentifiersStepwise(text, scope));
}

/** Put down between two forms. */
export function* findIdentifiersStepwise(text: string, scope: Scope): Stepwise<readonly Identifier[]> {
  const found = new Map<string, Identifier>();
  const add = (identifiers: readonly Identifier[]) => {
    for (const identifier of identifiers) if (!found.has(identifier.value)) found.set(identifier.value, identifier);
    return identifiers;
  };
  let rest = blank(text, add(findAddresses(text)));
  if (scope === "spoken") rest = addLinked(rest, add);
  const paths = add(matchPattern(rest, pathPatternFor(rest), scope));
  if (scope === "spoken") add(linesOf(paths, text));
  yield;
  rest = blank(rest, paths);
  const named = [...add(matchPattern(rest, UUID_PATTERN, scope))];
  rest = blank(rest, named);
  for (const pattern of EVERYWHERE_PATTERNS) {
    const identifiers = add(matchPattern(rest, pattern, scope));
    named.push(...identifiers);
    rest = blank(rest, identifiers);
    yield;
  }
  // In the whole text: a commit in a link is the commit.
  add(matchPattern(blank(text, named), HASH_PATTERN, scope));
  if (scope === "spoken") yield* addSpoken(rest, add);
  return [...found.values()];
}

function addLinked(text: string, add: (identifiers: readonly Identifier[]) => readonly Identifier[]): string {
  if (text.length > SPOKEN_UNITS) return text;
  return LINKED_PATTERNS.reduce((rest, pattern) => blank(rest, add(matchPattern(rest, pattern, "spoken"))), text);
}

function* addSpoken(text: string, add: (identifiers: readonly Identifier[]) => readonly Identifier[]): Stepwise<void> {
  let rest = withoutFences(withoutMiddle(text));
  if (!/[\p{L}\d]/u.test(rest)) return;
  for (const pattern of [...PERSON_PATTERNS, HANDLE_PATTERN]) {
    add(matchPattern(rest, pattern, "spoken"));
    yield;
  }
  for (const pattern of [...TOLD_PATTERNS, ...SPOKEN_PATTERNS, UNDERSCORE_PATTERN]) {
    const identifiers = add(matchPattern(rest, pattern, "spoken"));
    if (pattern.form !== "code" && pattern.form !== "variable") rest = blank(rest, identifiers);
    yield;
  }
}

function linesOf(paths: readonly Identifier[], text: string): readonly Identifier[] {
  return paths.flatMap(({ form, value, index }) => {
    const lined = withLine(value, text, index + value.length);
    return lined === undefined ? [] : [{ form, value: lined, index }];
  });
}

/** Spaces where the identifiers stand, so that every place stays where it is. */
function blank(text: string, identifiers: readonly Identifier[]): string {
  if (identifiers.length === 0) return text;
  const pieces: string[] = [];
  let at = 0;
  for (const { value, index } of [...identifiers].sort((a, b) => a.index - b.index)) {
    if (index < at) continue;
    pieces.push(text.slice(at, index), " ".repeat(value.length));
    at = index + value.length;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}

function withoutMiddle(text: string): string {
  if (text.length <= SPOKEN_UNITS) return text;
  const from = text.lastIndexOf("\n", SPOKEN_UNITS / 2) + 1 || SPOKEN_UNITS / 2;
  const to = Math.max(from, text.length - SPOKEN_UNITS / 2);
  return text.slice(0, from) + " ".repeat(to - from) + text.slice(to);
}

/** Code in fences is a document inside what is said. */
function withoutFences(text: string): string {
  if (!text.includes("```") && !text.includes("~~~")) return text;
  let isCode = false;
  const lines = text.split("\n").map((line) => {
    const isFence = FENCE.test(line);
    if (isFence) isCode = !isCode;
    return isFence || isCode ? " ".repeat(line.length) : line;
  });
  return lines.join("\n");
}
