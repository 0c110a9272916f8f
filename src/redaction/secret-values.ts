// Whether what stands after a secret's name is a literal secret, or code, a type, a reference, a placeholder.
// The name only raises the question; the value decides, so that source code is never mangled.
import type { NameStrength } from "./secret-names.ts";

const REFERENCE =
  /^(?:\$\{|\$\(|\$[A-Za-z_]\w{0,60}$|\{\{|\{[A-Za-z_.]{1,60}\}$|<|%[A-Za-z_]\w{0,60}%$|\.{3}|\u2026|(?:arn|vault|ssm|env|file|op|sops|secretsmanager|projects)[:/]|ENC\[|(?:process|import\.meta|os|Deno|Bun)\.env|[xX*.\u2022-]{3,}$|\*{3}|~$|![A-Za-z]{1,30}$|\/|\.{1,2}\/|~\/|https?:\/\/)/;
const PLACEHOLDER = /^(?:your|my|insert|enter|replace|example|placeholder|redacted|dummy)(?:$|[-_ ])/i;
const ENV_NAME = /^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}$/;
const SECRET_WORD = /passw|pwd|token|secret|key|cred|auth/i;
const PLAIN_WORDS = new Set(
  (
    "string str text number int integer float bool boolean any unknown never void object bytes buffer optional required " +
    "none null nil undefined true false nan password passwd token secret hidden invalid missing empty default value " +
    "input await async new function self this lambda bearer basic yes no on off enabled disabled incorrect expired"
  ).split(" "),
);

/** Placeholders, variables, paths, vault addresses: they name a secret, they are none. */
export function isReference(value: string): boolean {
  const isCutShort = value.length <= 24 && /(?:\.{3}|\u2026)$/.test(value);
  return isCutShort || REFERENCE.test(value) || PLACEHOLDER.test(value) || value.includes("${") || value.includes("{{");
}

/** A string literal under a secret's name. `name` is the key as written. */
export function isQuotedSecret(value: string, strength: NameStrength, name: string): boolean {
  const trimmed = value.trim();
  if (trimmed === "" || strength === "none" || isReference(trimmed)) return false;
  if (PLAIN_WORDS.has(trimmed.toLowerCase()) || trimmed.toLowerCase() === name.toLowerCase()) return false;
  if (ENV_NAME.test(trimmed) && SECRET_WORD.test(trimmed)) return false;
  if (strength === "weak") return hasSecretShape(trimmed);
  // "Enter your password", "API key is missing": a label or a message, not a pass phrase.
  return !(/\s/.test(trimmed) && SECRET_WORD.test(trimmed));
}

export interface BareContext {
  /** Where a bare word is a value and cannot be code: an environment line, a URL query, a command-line flag. */
  readonly isAssignment: boolean;
  /** Key at the line's start, value alone to its end: a configuration line rather than prose or an argument. */
  readonly isWholeLine: boolean;
  readonly strength: NameStrength;
}

/** A value without quotes: most of these in a transcript are code. */
export function isBareSecret(value: string, context: BareContext): boolean {
  const { strength, isAssignment, isWholeLine } = context;
  if (value === "" || strength === "none" || isReference(value) || isCode(value)) return false;
  if (PLAIN_WORDS.has(value.toLowerCase())) return false;
  if (ENV_NAME.test(value) && SECRET_WORD.test(value)) return false;
  if (strength === "weak") return hasSecretShape(value);
  if (/^\d+(?:[.,]\d+)*$/.test(value)) return value.length >= 4 && (isAssignment || isWholeLine);
  if (isAssignment) return true;
  // A variable such as `accessToken2`.
  if (/^[A-Za-z_$][\w$]*$/.test(value) && /[a-z0-9][A-Z]/.test(value) && SECRET_WORD.test(value)) return false;
  if (/\d/.test(value)) return value.length >= 3;
  // Only letters, perhaps joined by - or _: a variable or the name of something, unless it is a line of its own.
  if (/^[A-Za-z_$][\w$-]*$/.test(value)) return isWholeLine && /^[a-z]{6,}$/.test(value) && !SECRET_WORD.test(value);
  return value.length >= 6;
}

function isCode(value: string): boolean {
  if (/[([|]|&&|\?\?|\?\.|=>|->|::/.test(value)) return true;
  const chain = /^[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){1,8}$/.test(value);
  return chain && !value.split(".").some((part) => part.length >= 16 && /\d/.test(part));
}

function hasSecretShape(value: string): boolean {
  if (value.length < 8 || /[\s()<>{}]/.test(value) || isCode(value)) return false;
  if (/^[A-Za-z_$][\w$]*$/.test(value) && SECRET_WORD.test(value)) return false;
  if (/^[\d.,:+-]+$/.test(value) || /^[A-Za-z]+(?:[-_ ][A-Za-z]+)*$/.test(value)) {
    return value.length >= 20 && /[a-z][A-Z]+[a-z]+[A-Z]/.test(value) && !SECRET_WORD.test(value);
  }
  return /[A-Za-z]/.test(value) && /\d/.test(value);
}
