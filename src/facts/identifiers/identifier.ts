// What a search for identifiers gives, and how one is described. The patterns themselves stand beside this file.

/**
 * `spoken`: words of a person or the assistant, where every form counts. `document`: what tools printed and files
 * hold, where flags, versions, quantities and code names are too many to say anything.
 */
export type Scope = "spoken" | "document";

export interface Identifier {
  readonly form: string;
  readonly value: string;
  /** Where it stands in the text, UTF-16 units. */
  readonly index: number;
}

/** A form that one expression finds. Every quantifier in `expression` is bounded, and it starts at a boundary. */
export interface IdentifierPattern {
  readonly form: string;
  /** Global. */
  readonly expression: RegExp;
  /** A text without this string is not searched. */
  readonly needs?: string;
  /** The identifier in a match; undefined when it is none. Default: the whole match. */
  readonly read?: (match: RegExpExecArray, scope: Scope) => string | undefined;
}

/** All matches of one pattern, in order. */
export function matchPattern(text: string, { form, expression, needs, read }: IdentifierPattern, scope: Scope) {
  const found: Identifier[] = [];
  if (needs !== undefined && !text.includes(needs)) return found;
  // Not `matchAll`: it copies the expression, which costs more than searching the short texts that most are.
  expression.lastIndex = 0;
  for (let match = expression.exec(text); match !== null; match = expression.exec(text)) {
    const value = read === undefined ? match[0] : read(match, scope);
    if (value === undefined || value === "") continue;
    found.push({ form, value, index: match.index + Math.max(0, match[0].indexOf(value)) });
  }
  return found;
}
