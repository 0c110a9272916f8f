// Forms that mean the same wherever they stand, so they are taken from tools' output too.
import type { IdentifierPattern, Scope } from "./identifier.ts";

/** Prefixes of names that look like tickets: encodings, algorithms, standards, models. */
const NO_TRACKER = new Set(
  (
    "UTF UCS ISO SHA AES MD RSA DES GPT HTTP TLS SSL IEEE RFC BCP EC ECMA PEP ANSI ASCII LATIN CP WINDOWS KOI BIG X HTTPS OAUTH " +
    "COVID MP H DDR USB IPV PKCS HMAC CRC BASE CUDA RTX GTX ARM AMD SM ES PM A B C D E F T V Q P ASIL DO EN DIN CHAPTER STEP PART " +
    "PHASE TOP LEVEL LINE PAGE MIT BSD GPL LGPL AGPL MPL APACHE CC CWE WCAG Q1 Q2 Q3 Q4 FY CLAUDE GEMINI LLAMA"
  ).split(" "),
);

function readTicket([match]: RegExpExecArray, scope: Scope): string | undefined {
  const [prefix = "", number = ""] = match.split("-");
  if (NO_TRACKER.has(prefix)) return undefined;
  return scope === "document" && number.length < 2 ? undefined : match;
}

/** Colours (`#333`, `#112233`) and counters (`#1`) are no issue numbers. */
function readNumbered([match]: RegExpExecArray, scope: Scope): string | undefined {
  const digits = match.slice(1);
  if (/^(\d)\1{2,6}$/.test(digits) || digits.startsWith("0")) return undefined;
  return scope === "document" && (digits.length < 3 || digits.length === 6) ? undefined : match;
}

const hasLetterAndDigit = (value: string) => /[a-f]/i.test(value) && /\d/.test(value);

function readAccount(match: RegExpExecArray): string | undefined {
  return match[1];
}

export const UUID_PATTERN: IdentifierPattern = {
  form: "uuid",
  expression: /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi,
  needs: "-",
};

/** A digest of 64 only where somebody says it: lock files hold thousands. */
export const HASH_PATTERN: IdentifierPattern = {
  form: "hash",
  expression: /\b[0-9a-f]{7,64}\b/gi,
  read: ([match], scope) =>
    hasLetterAndDigit(match) && (match.length <= 40 || (scope === "spoken" && match.length === 64)) ? match : undefined,
};

export const EVERYWHERE_PATTERNS: readonly IdentifierPattern[] = [
  {
    form: "cloud",
    expression: /\barn:[\w-]{2,12}:[\w-]{1,40}:[\w-]{0,30}:\d{0,12}:[\w+=,.@:/*-]{1,200}[\w*]/g,
    needs: "arn:",
  },
  {
    form: "cloud",
    expression:
      /\b(?:us|eu|ap|sa|ca|me|af|il|cn|mx)(?:-gov|-iso)?-(?:north|south|east|west|central|northeast|southeast|northwest|southwest)-\d{1,2}\b/g,
  },
  {
    form: "cloud",
    expression:
      /\b(?:us|europe|asia|australia|northamerica|southamerica|africa|me)-(?:north|south|east|west|central|northeast|southeast|northwest|southwest)\d{1,2}(?:-[a-f])?\b/g,
  },
  {
    form: "cloud",
    expression:
      /\b(?:i|vol|vpc|subnet|sg|ami|eni|igw|rtb|eipalloc|snap|acl|nat|lt|fs|vpce|tgw|pcx|vgw|dopt)-[0-9a-f]{8,17}\b/g,
    read: ([match]) => (/\d/.test(match) ? match : undefined),
  },
  {
    form: "cloud",
    expression:
      /\baccount(?:[ _-]?(?:id|number|no\.?))?["'`]?(?: is|:|=|#)?[ "'`]{0,3}(\d{4}-\d{4}-\d{4}|\d{12})(?!\d)/gi,
    read: readAccount,
  },
  { form: "ticket", expression: /\bCVE-\d{4}-\d{4,7}\b/g, needs: "CVE-" },
  { form: "ticket", expression: /(?<![\w-])[A-Z][A-Z0-9]{1,9}-\d{1,7}(?![\w-]|\.\d)/g, read: readTicket },
  { form: "ticket", expression: /(?<=^|[\s([,，、（])#\d{2,7}(?![\w-])/g, needs: "#", read: readNumbered },
];
