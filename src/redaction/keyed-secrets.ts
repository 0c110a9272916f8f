// Secrets that are known by the name before them: `password: …`, `"api_key": "…"`, `Authorization: Bearer …`,
// `export FOO_TOKEN=…`, `?access_token=…`, `--password …`, `<password>…</password>`. Finds a secret word, reads
// the whole name around it, the separator and the value; whether the value is a secret is decided elsewhere.
import { type NameStrength, strengthOf } from "./secret-names.ts";
import { isBareSecret, isQuotedSecret, isReference } from "./secret-values.ts";
import type { Span } from "./spans.ts";
import { boundsAt, type ValueBounds } from "./value-bounds.ts";

const SECRET_WORD =
  /pass|pwd|secret|token|credential|authorization|(?:api|access|private|signing|encryption|account|auth|master|subscription|license|service|storage)[ _.-]?key/gi;
const NAME_REACH = 48;
const LONGEST_WORD = 512;
/** `name`, perhaps a closing quote, perhaps a type, then `:`, `=`, `:=` or `=>`; comparisons are none of these. */
const SEPARATOR =
  /\\{0,8}["'`]?\]?\??[ \t]{0,8}(?::[ \t]{0,4}[A-Za-z_][\w.]{0,30}(?:[ \t]{0,2}\|[ \t]{0,2}[A-Za-z]{1,20})?[ \t]{1,4}=(?![=>~])|:=|=>|:(?!:)|\uff1a|=(?![=~]))[ \t]{0,8}/y;
const SCHEME = /(?:bearer|basic|token|apikey|digest|negotiate)[ \t]{1,4}/iy;

interface Named {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly strength: NameStrength;
}

export function findKeyedSecrets(text: string): readonly Span[] {
  const spans: Span[] = [];
  SECRET_WORD.lastIndex = 0;
  for (let match = SECRET_WORD.exec(text); match !== null; match = SECRET_WORD.exec(text)) {
    const named = nameAround(text, match.index, SECRET_WORD.lastIndex);
    SECRET_WORD.lastIndex = named.end;
    if (named.strength === "none") continue;
    const span = secretAfter(text, named);
    if (span === undefined) continue;
    spans.push(span);
    SECRET_WORD.lastIndex = span.end;
  }
  return spans;
}

function nameAround(text: string, from: number, to: number): Named {
  let start = from;
  while (start > 0 && from - start < NAME_REACH && isNamePart(text.charCodeAt(start - 1))) start--;
  let end = to;
  while (end < text.length && end - to < NAME_REACH && isNamePart(text.charCodeAt(end))) end++;
  // A flag's dashes, and the tail of an escaped line break, are not part of the name.
  if (text[start - 1] === "\\" && "nrt".includes(text[start] ?? "") && start < from) start++;
  while (text[start] === "-") start++;
  const name = text.slice(start, end);
  return { start, end, name, strength: strengthOf(name) };
}

function isNamePart(unit: number): boolean {
  return (
    (unit >= 97 && unit <= 122) ||
    (unit >= 65 && unit <= 90) ||
    (unit >= 48 && unit <= 57) ||
    unit === 95 ||
    unit === 45
  );
}

/** How name and value are joined: a separator, or a tag's `>`, or the blank after a command-line flag. */
interface Joint {
  readonly kind: "separator" | "tag" | "flag";
  readonly text: string;
}

function jointAfter(text: string, named: Named): Joint | undefined {
  SEPARATOR.lastIndex = named.end;
  const separator = SEPARATOR.exec(text)?.[0];
  if (separator !== undefined) return { kind: "separator", text: separator };
  if (text[named.end] === ">" && text[named.start - 1] === "<") return { kind: "tag", text: ">" };
  const isFlag = text[named.end] === " " && text.startsWith("--", named.start - 2);
  return isFlag ? { kind: "flag", text: " " } : undefined;
}

function secretAfter(text: string, named: Named): Span | undefined {
  // A shell variable with a default, `${DB_PASSWORD:-…}`, is code.
  if (text.startsWith("${", named.start - 2)) return undefined;
  const joint = jointAfter(text, named);
  if (joint === undefined) return undefined;
  const position = named.end + joint.text.length;
  if (/authorization$/i.test(named.name)) {
    return authorizationSpan(text, boundsAt(text, afterScheme(text, position), false));
  }
  const isEnvironment = joint.text === "=" && isEnvironmentLine(text, named);
  const bounds = boundsAt(text, position, isEnvironment);
  if (joint.kind === "tag" && (bounds.isQuoted || !text.startsWith("</", bounds.end))) return undefined;
  if (!bounds.isQuoted) return bareSpan(text, named, joint, bounds, isEnvironment);
  return isQuotedSecret(text.slice(bounds.start, bounds.end), named.strength, named.name) ? bounds : undefined;
}

function bareSpan(
  text: string,
  named: Named,
  joint: Joint,
  bounds: ValueBounds,
  isEnvironment: boolean,
): Span | undefined {
  // "PASS: TestLogin2" is a test's verdict.
  if (/^pass$/i.test(named.name)) return undefined;
  // A JSON key before a bare value: a number, a variable, a list. A mark there would break the JSON.
  if (/^\\{0,8}["'`]/.test(joint.text)) return undefined;
  // A bare word this long is key material, and judging it would cost its length again.
  if (bounds.end - bounds.start > LONGEST_WORD) return bounds;
  const before = text[named.start - 1] ?? "\n";
  const isSecret = isBareSecret(text.slice(bounds.start, bounds.end), {
    strength: named.strength,
    isAssignment: isEnvironment || joint.kind !== "separator" || before === "?" || before === "&",
    isWholeLine: isWholeLine(text, named, bounds, joint.text),
  });
  return isSecret ? bounds : undefined;
}

/** `Authorization: Bearer x`, with or without quotes around `Bearer x`: the scheme stays. */
function afterScheme(text: string, position: number): number {
  const quotes = /\\{0,8}["'`]/y;
  quotes.lastIndex = position;
  const inside = quotes.test(text) ? quotes.lastIndex : position;
  SCHEME.lastIndex = inside;
  return SCHEME.test(text) ? SCHEME.lastIndex : position;
}

function authorizationSpan(text: string, bounds: ValueBounds): Span | undefined {
  const value = text.slice(bounds.start, Math.min(bounds.end, bounds.start + 4_000));
  if (value.length < 6 || isReference(value) || /^(?:token|bearer|basic|required|header|string)/i.test(value)) {
    return undefined;
  }
  if (bounds.isQuoted) return bounds;
  return /^[A-Za-z0-9._~+/=:-]{6,}$/.test(value) && !/^[\w$]{1,60}\.[A-Za-z_]/.test(value) ? bounds : undefined;
}

/** `NAME=` or `export NAME=` at a line's start, in capitals: the value runs to the next blank. */
function isEnvironmentLine(text: string, named: Named): boolean {
  if (!/^[A-Z0-9_]+$/.test(named.name)) return false;
  const before = text.slice(Math.max(0, named.start - 24), named.start);
  return /(?:^|[\n\r]|\\n|[;"'`])[ \t]{0,8}(?:export |set |ENV |env |-e )?$/.test(before) || /\s$/.test(before);
}

function isWholeLine(text: string, named: Named, bounds: ValueBounds, separator: string): boolean {
  const before = text.slice(Math.max(0, named.start - 40), named.start);
  const opens = /(?:^|[\n\r]|\\n)[ \t]{0,32}(?:- )?[\w.]{0,20}$/.test(before);
  const after = text.slice(bounds.end, bounds.end + 3);
  const closes = after === "" || /^[\n\r]|^\\n|^ #/.test(after);
  return opens && closes && (separator === "=" || /:[ \t]+$/.test(separator));
}
