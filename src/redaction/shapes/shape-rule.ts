// A secret that is known by its own shape, whatever stands around it: one row of a table a kind. Every quantifier is
// bounded and a shape is tried only where one of its keywords stands, so hostile text stays linear.

export interface ShapeRule {
  readonly id: string;
  /** For the reference page. */
  readonly what: string;
  /** Lower-case ASCII, found whatever the case; one must occur, and the shape is tried there. */
  readonly keywords: readonly string[];
  /** Flags `dy` or `diy`; group 1, where there is one, is the secret, else the whole match. */
  readonly pattern: RegExp;
  /** Characters before the keyword that belong to the match: it is tried from the first of them. */
  readonly behind?: RegExp;
  /** A second look where the shape alone is too wide. */
  readonly accepts?: (secret: string) => boolean;
}

/** A word starts here: no letter, digit or underscore before, or the tail of an escaped line break (`\n`). */
const START = String.raw`(?:(?<![A-Za-z0-9_])|(?<=\\[nrt]))`;

/** A token: begins a word with the first of `keywords`' characters, as written in `body`. */
export function token(
  id: string,
  what: string,
  keywords: readonly string[],
  body: string,
  accepts?: (secret: string) => boolean,
): ShapeRule {
  const rule = { id, what, keywords, pattern: new RegExp(START + body, "dy") };
  return accepts === undefined ? rule : { ...rule, accepts };
}

export function hasDigit(secret: string): boolean {
  return /\d/.test(secret);
}

export function hasLetterAndDigit(secret: string): boolean {
  return /[A-Za-z]/.test(secret) && /\d/.test(secret);
}

/** Not `${PASSWORD}`, `$PASSWORD`, `{password}`, `%s`, `<password>`, `***`: what stands for a secret. */
export function isLiteral(secret: string): boolean {
  return !/^\$[A-Za-z_(]|\$\{|\{\{|^\{|^%|^<|^\[|^[*.x\u2022]{2,}$|^redacted$|\u2026|\.\.\.$/i.test(secret);
}
