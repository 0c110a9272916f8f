// Exact values that always go, whatever stands around them: looked for as they are and as JSON strings and addresses
// write them. Never read as patterns.
import { CompactError } from "../errors.ts";
import type { Find } from "./spans.ts";

/** A shorter text stands in too many words that are no secret. */
const SHORTEST = 4;

/**
 * Each value with its other spellings, longest first. Empty ones are left out, so that an unset variable may be passed.
 * @throws CompactError `InvalidConfig` naming `redaction.literals[i]` (never the value) when one has under 4 characters.
 */
export function spellLiterals(literals: readonly string[]): readonly string[] {
  const spelled = literals.flatMap((literal, index) => {
    const path = `redaction.literals[${index}]`;
    if (typeof literal !== "string") throw invalid(path, "must be a string", "Write the value as text.");
    if (literal.trim() === "") return [];
    if (literal.length < SHORTEST) {
      throw invalid(path, `is shorter than ${SHORTEST} characters`, "It would mangle ordinary words: use a pattern.");
    }
    const inJson = escaped(literal);
    return [literal, inJson, escaped(inJson), inAddress(literal)];
  });
  return [...new Set(spelled)].sort((left, right) => right.length - left.length);
}

export function findLiterals(text: string, spelled: readonly string[]): readonly Find[] {
  const finds: Find[] = [];
  for (const literal of spelled) {
    for (let start = text.indexOf(literal); start !== -1; start = text.indexOf(literal, start + literal.length)) {
      finds.push({ rule: "literal", start, end: start + literal.length });
    }
  }
  return finds;
}

function escaped(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    // Half a surrogate pair has no such spelling.
    return text;
  }
}

function invalid(path: string, what: string, hint: string): CompactError {
  return new CompactError("InvalidConfig", `${path} ${what}`, { code: "INVALID_LITERAL", hint, data: { path } });
}
