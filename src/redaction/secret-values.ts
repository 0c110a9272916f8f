// Whether what stands after a secret's name is a literal secret, or code, a type, a reference, a placeholder.
// The name only raises the question; the value decides, so that source code is never mangled.

import { PASSWORD_WORDS } from "../language/password-words.ts";

const REFERENCE =
  /^(?:\$\{|\$\(|\$[A-Za-z_]\w{0,60}$|\{\{|\{[A-Za-z_.]{1,60}\}$|<|%[A-Za-z_]\w{0,60}%$|\.{3}|\u2026|(?:arn|vault|ssm|env|file|sops|secretsmanager|projects|urn)[:/]|op:\/\/|ENC\[|(?:process|import\.meta|os|Deno|Bun)\.env|[xX*.\u2022-]{3,}$|\*{3}|~$|![A-Za-z]{1,30}$|\.{1,2}\/|~\/|https?:\/\/)/;
const PLACEHOLDER =
  /^\[?(?:your|my|votre|deine?|ihre?|insert|enter|replace|example|placeholder|redacted|dummy)(?:$|[-_ \]])/i;
const ENV_NAME = /^[A-Z][A-Z0-9]{0,40}(?:_[A-Z0-9]{1,40}){1,8}$/;
const SECRET_WORD = /passw|pwd|token|secret|key|cred|auth/i;
/** The same as part of a variable's name: letters by chance hold "PwD" now and then. */
const SECRET_NAME_PART = /(?:^|[_$-])(?:passw|pwd|token|secret|key|cred|auth)|Passw|Pwd|Token|Secret|Key|Cred|Auth/;
const PLAIN_WORDS = new Set(
  (
    "string str text number int integer float bool boolean any unknown never void object bytes buffer optional required " +
    "none null nil undefined true false nan password passwd token secret hidden invalid missing empty default value " +
    "input await async new function self this lambda bearer basic yes no on off enabled disabled incorrect expired"
  ).split(" "),
);

/** Placeholders, variables, paths, vault addresses: they name a secret but do not hold it. */
export function isReference(value: string): boolean {
  const isCutShort = value.length <= 24 && /(?:\.{3}|\u2026)$/.test(value);
  return (
    isCutShort ||
    REFERENCE.test(value) ||
    isPath(value) ||
    (PLACEHOLDER.test(value) && !isByChance(value)) ||
    value.includes("${") ||
    value.includes("{{")
  );
}

/** One in sixty-four keys in base64 begins with a slash, too: those have a sum, padding or a long mixed stretch. */
function isPath(value: string): boolean {
  if (!value.startsWith("/")) return false;
  if (value.length < 24 || !/^[A-Za-z0-9+/]{24,4000}={0,2}$/.test(value)) return true;
  if (/[+=]/.test(value)) return false;
  const parts = value.split("/");
  const isKey = parts.some((part) => part.length >= 14 && (isMixed(part) || areLettersByChance(part)));
  return !isKey && parts.filter((part) => part.length >= 6 && isMixed(part)).length < 2;
}

function isMixed(part: string): boolean {
  return /[a-z]/.test(part) && /[A-Z]/.test(part) && /\d/.test(part);
}

/** A string literal under a secret's name. `name` is the key as written. */
export function isQuotedSecret(value: string, strength: NameStrength, name: string): boolean {
  const trimmed = value.trim();
  if (trimmed === "" || strength === "none" || isReference(trimmed)) return false;
  if (PLAIN_WORDS.has(trimmed.toLowerCase()) || trimmed.toLowerCase() === name.toLowerCase()) return false;
  // A dependency's version: `"pbkdf2-password": "^1.2.1"`.
  if (/^[\^~]?\d{1,4}\.\d{1,4}\.\d{1,4}(?:-[\w.]{1,40})?$/.test(trimmed)) return false;
  if (isConstantName(trimmed) || isNameOfConstant(trimmed, name) || trimmed.length < 2) return false;
  if (strength !== "strong") return hasSecretShape(trimmed) && isLongEnough(trimmed, strength);
  // "Enter your password", "API key is missing": a label or a message, not a pass phrase.
  return !(/\s/.test(trimmed) && SECRET_WORD.test(trimmed));
}

interface BareContext {
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
  if (isConstantName(value) || /^0x[0-9a-f]{1,10}$/i.test(value)) return false;
  if (strength !== "strong") return hasSecretShape(value) && isLongEnough(value, strength) && !isTypeName(value);
  if (/^(?:Big)?(?:Uint|Int|Float)\d{1,2}(?:Clamped)?Array$/.test(value)) return false;
  if (/^\d+(?:[.,]\d+)*$/.test(value)) return value.length >= 4 && (isAssignment || isWholeLine);
  if (isAssignment) return true;
  // A variable such as `accessToken2`.
  if (/[a-z0-9][A-Z]/.test(value) && isNamedAsSecret(value)) return false;
  if (/\d/.test(value)) return value.length >= 3;
  // Only letters, perhaps joined by - or _: a variable or the name of something, unless it is a line of its own.
  if (/^[A-Za-z_$][\w$-]*$/.test(value))
    return isWholeLine && (isByChance(value) || (isWordOrChance(value) && !SECRET_WORD.test(value)));
  return value.length >= 6;
}

interface SaidContext {
  readonly strength: NameStrength;
  /** `is`, `:` or their like stand before it, in any of the known languages. */
  readonly isStated: boolean;
  readonly isQuoted: boolean;
}

/** Words with digits that say how something is made rather than what it is. */
const METHOD =
  /^(?:base\d|sha|md\d|utf|argon|bcrypt|scrypt|pbkdf|oauth|rsa|aes|hmac|ed\d|x\d|http|ipv?\d|v?\d+[.\d]*[a-z-]*$|\d+-?\w*$)/i;

/** What a sentence, a list or a table puts beside a secret's name: most such words are only about it. */
export function isSaidSecret(value: string, { strength, isStated, isQuoted }: SaidContext): boolean {
  if (value.length < 6 || strength === "none" || /\s/.test(value)) return false;
  if (isReference(value) || isCode(value) || isConstantName(value) || METHOD.test(value)) return false;
  if (isNamedAsSecret(value) || PLAIN_WORDS.has(value.toLowerCase()) || isTypeName(value)) return false;
  if (strength !== "strong") return hasSecretShape(value) && isByChance(value);
  const isMixed = /\d/.test(value) && /\p{L}/u.test(value);
  if (isStated) return isMixed || (isQuoted && !SECRET_WORD.test(value));
  return isMixed && (isByChance(value) || (hasSecretShape(value) && /[A-Z]/.test(value) && /[a-z]/.test(value)));
}

/** `accessToken2`, and no value of high entropy in which such a word stands by chance. */
function isNamedAsSecret(value: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(value) && SECRET_NAME_PART.test(value) && !isByChance(value);
}

/** Names are made of words: stretches of one kind of letter, a capital before them or not. Chance breaks off sooner. */
function isByChance(value: string): boolean {
  if (value.length < 12) return false;
  const stretches = value.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? [];
  const numbers = stretches.filter((stretch) => /\d/.test(stretch)).length;
  return value.length < stretches.length * (numbers > 2 ? 4 : 2.7);
}

/** `DB_PASSWORD`, `STRING_VALUE`: the name of a variable, or a documentation's word for a value. */
function isConstantName(value: string): boolean {
  return ENV_NAME.test(value) && (SECRET_WORD.test(value) || !/\d/.test(value));
}

/** `UPDATE_TYPE_PASSWORD = "change_password"`: a constant that holds a word, not a secret. */
function isNameOfConstant(value: string, name: string): boolean {
  if (!/^[A-Z0-9]+(?:_[A-Z0-9]+)+$/.test(name) || !/^[a-z0-9]+(?:[_-][a-z0-9]+)+$/.test(value)) return false;
  return value.split(/[_-]/).at(-1) === name.toLowerCase().split("_").at(-1);
}

function isLongEnough(value: string, strength: NameStrength): boolean {
  return strength !== "long" || value.length >= 40;
}

/** `Uint8Array`, `X509Certificate`. */
function isTypeName(value: string): boolean {
  return /^[A-Z][a-z]{0,30}(?:\d{1,3}|[A-Z][a-z]{1,30}){1,8}$/.test(value) && !isByChance(value);
}

function isWordOrChance(value: string): boolean {
  return /^[a-z]{6,}$/.test(value) || (value.length >= 16 && areLettersByChance(value));
}

/** Words joined as in `lastIndexOfNewLine` have few capitals; letters by chance have as many as small ones. */
function areLettersByChance(value: string): boolean {
  const capitals = value.replace(/[^A-Z]/g, "").length;
  return capitals > value.length * 0.3 && capitals < value.length * 0.9;
}

function isCode(value: string): boolean {
  if (/[([|]|&&|\?\?|\?\.|=>|->|::|==(?!$|=$)/.test(value)) return true;
  if (
    /^(?:this|self|exports|module|process|window|globalThis|opts|options|config|settings|props|req|ctx|env|args)\./.test(
      value,
    )
  )
    return true;
  const chain = /^[A-Za-z_$][\w$]{0,60}(?:\.[A-Za-z_$][\w$]{0,60}){1,8}$/.test(value);
  return chain && !value.split(".").some((part) => part.length >= 16 && /\d/.test(part) && !ENV_NAME.test(part));
}

function hasSecretShape(value: string): boolean {
  if (value.length < 8 || /[\s()<>{}]/.test(value) || isCode(value)) return false;
  if (isNamedAsSecret(value)) return false;
  if (/^[\d.,:+-]+$/.test(value) || /^[A-Za-z]+(?:[-_ ][A-Za-z]+)*$/.test(value)) {
    return value.length >= 20 && areLettersByChance(value) && (isByChance(value) || !SECRET_NAME_PART.test(value));
  }
  return /[A-Za-z]/.test(value) && /\d/.test(value);
}

// Which names say "what follows is a secret". The secret word must be the name's last word: `api_key`,
// `dbPassword`, `AWS_SECRET_ACCESS_KEY`, not `max_tokens`, `tokenizer`, `secretName`, `jsonwebtoken`.

/**
 * "strong": any literal under it is a secret. "weak": only a value that looks like one. "long": only a long one that
 * does; browsers' code calls the names of its settings storage keys.
 */
export type NameStrength = "strong" | "weak" | "long" | "none";

const STRONG = new RegExp(
  "(?:^|_)(?:" +
    "[a-z]{0,12}passwo?r?d|passphrase|passcode|[a-z]{0,8}pwd|pw|psk|authorization|jsessionid|phpsessid|passe|" +
    `${PASSWORD_WORDS.map((word) => `${word}\\p{L}{0,3}`).join("|")}|` +
    "(?:x_)?(?:api|access|secret|private|signing|encryption|account|auth|master|subscription|license|service)_?key|" +
    "(?:access|refresh|auth|bearer|api|session|secret|bot|deploy|oauth|id|security)_?token|" +
    // A pass is a run over something, too: of a compiler, of a test.
    "(?:db|database|user|smtp|e?mail|imap|ftp|ssh|root|admin|sudo|become|redis|pg|postgres|mysql|mongo|rabbitmq|amqp|" +
    "proxy|http|basic|auth|login|git|registry|docker|vpn|wifi)_pass|" +
    "(?:[a-z0-9]{1,20}_|client|app|jwt)secret" +
    ")$",
  "u",
);
const WEAK =
  /(?:^|_)(?:token|secret|credentials?|pass|(?:app|application|role|admin|shared|hmac|aes|deploy|webhook|consumer)_?key)$/;
const LONG = /(?:^|_)storage_?key$/;
/** Words after the secret word that do not change what it is. */
const TAIL =
  /(?:_(?:value|plain|plaintext|raw|str|base64|b64|prod|production|dev|test|staging|live|old|new|current|default|base))$/;

export function strengthOf(name: string): NameStrength {
  if (name.length > 100) return "none";
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[-. $]+/g, "_")
    .toLowerCase()
    .replace(/_{2,9}/g, "_")
    .replace(/_?\d{1,4}$/, "")
    .replace(TAIL, "");
  if (STRONG.test(words)) return "strong";
  if (WEAK.test(words)) return "weak";
  return LONG.test(words) ? "long" : "none";
}
