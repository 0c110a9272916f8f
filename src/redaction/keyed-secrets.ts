// Secrets that are known by the name before them: `password: …`, `"api_key": "…"`, `Authorization: Bearer …`,
// `export FOO_TOKEN=…`, `?access_token=…`, `--password …`, `<password>…</password>`, `the password is …`. Finds a secret
// word, reads the whole name around it, what joins it with the value, and the value; whether that is a secret is decided
// elsewhere.
import { PASSWORD_WORDS } from "../language/password-words.ts";
import {
  isBareSecret,
  isQuotedSecret,
  isReference,
  isSaidSecret,
  type NameStrength,
  strengthOf,
} from "./secret-values.ts";
import { type Find, hasLetterAndDigit, type Range } from "./shapes.ts";

const KEY_KINDS =
  "api access private signing encryption account auth master subscription license service storage " +
  "app application role admin shared hmac aes deploy webhook consumer";
/** Lower-case words, one of which is in every name that may say "secret". */
export const SECRET_WORDS: readonly string[] = [
  ..."pass pwd pw psk secret token credential authorization jsessionid phpsessid".split(" "),
  ...PASSWORD_WORDS,
  ...KEY_KINDS.split(" ").flatMap((kind) => ["", " ", "_", ".", "-"].map((between) => `${kind}${between}key`)),
];
/** Words of scripts without spaces are no part of a longer name. */
const NAME_PART = /[\w\u00c0-\u024f\u0400-\u04ff-]/;
const NAME_REACH = 48;
const LONGEST_WORD = 512;
/**
 * `name`, perhaps a closing quote, an emphasis, an aside, a type, then `:`, `=`, `:=` or `=>`, and what opens a value in
 * markdown; comparisons are none of these.
 */
const SEPARATOR =
  /\\{0,32}["'`]?[*_]{0,3}\]?\??(?:[ \t]\([^()\n"']{1,24}\))?(?:[ \t]{1,4}[Aa]s[ \t]{1,4}[A-Za-z]{1,20})?[ \t]{0,8}(?::[ \t]{0,4}[A-Za-z_][\w.]{0,30}(?:[ \t]{0,2}\|[ \t]{0,2}[A-Za-z]{1,20})?[ \t]{1,4}=(?![=>~])|:=|=>|:(?!:)(?:[*_]{2,3}(?=[ \t]))?|=(?![=~]))[ \t]{0,8}/y;
/** The next of a list, or a cell of a table: `"--password", "…"`, `put(SECURITY_CREDENTIALS, "…")`, `| Password | … |`. */
const LISTED =
  /\\{0,32}["'`]?,(?:\s|\\{1,32}[nrt]){0,20}(?=\\{0,32}["'`])|\\{0,32}["'`]?[*_]{0,3}[ \t]{0,20}\|[ \t]{1,20}(?=[^\s|])/y;
/** `password for bob is …`, `Passwort lautet: …`, `密码是…`; in the languages that are known. */
const SAID =
  /(?:[ \t]{1,2}(?:for|of|to|on|für|von|zu|de|du|pour|para|da|do|di|для|от)[ \t][^\s:=]{1,40}(?:[ \t][^\s:=]{1,40})?(?=[ \t:]))?(?:[ \t]{1,2}(?:is|was|lautet|ist|war|es|est|é|è|era|будет|это|[-\u2013\u2014])(?:[ \t](?:now|set to|jetzt|ahora|agora|теперь))?(?:[ \t]{0,2}:)?[ \t]{1,2}|:[ \t]{1,2}|[ \t]?(?:是|为|為|は|が|은|는|이|가)[ \t:]{0,2})/y;
const BLANK = /[ \t]{1,2}(?![ \t])/y;
/** A list of names and values: `"name": "DB_PASSWORD", "value": "…"`, `- name: X` and `value: …` below, `key="X" value="…"`. */
const PAIR =
  /\\{0,32}["']?[ \t]{0,4}(?:,|\s|\\{1,32}[nrt]){1,40}\\{0,32}["']?[Vv]alue\\{0,32}["']?[ \t]{0,4}[:=][ \t]{0,4}/y;
const SCHEME = /(?:bearer|basic|token|apikey|digest|negotiate|bot|ssws|genie ?key)[ \t]{1,4}/iy;

const OPENING_QUOTE = /\\{0,32}["'`]/y;

interface Named {
  readonly start: number;
  readonly end: number;
  readonly name: string;
  readonly strength: NameStrength;
}

/** What a secret word led to: how far the text is read, and the secret if there is one. */
interface KeyedFind {
  readonly resume: number;
  readonly find?: Find;
}

/** `from` and `to`: where one of `SECRET_WORDS` stands. */
export function findKeyedSecret(text: string, from: number, to: number): KeyedFind {
  const named = nameAround(text, from, to);
  if (named.strength === "none") return { resume: named.end };
  const find = secretAfter(text, named);
  return find === undefined || find.end <= find.start ? { resume: named.end } : { resume: find.end, find };
}

function nameAround(text: string, from: number, to: number): Named {
  const isAlone = !NAME_PART.test(text[from] ?? "");
  if (isAlone) return { start: from, end: to, name: text.slice(from, to), strength: "strong" };
  let start = from;
  while (start > 0 && from - start < NAME_REACH && NAME_PART.test(text[start - 1] ?? "")) start--;
  let end = to;
  while (end < text.length && end - to < NAME_REACH && NAME_PART.test(text[end] ?? "")) end++;
  // A flag's dashes, and the tail of an escaped line break, are not part of the name.
  if (text[start - 1] === "\\" && "nrt".includes(text[start] ?? "") && start < from) start++;
  while (text[start] === "-") start++;
  const name = text.slice(start, end);
  return { start, end, name, strength: strengthOf(name) };
}

/**
 * How name and value are joined: a separator, a tag's `>`, the blank after a command-line flag, `value` as a name, a place
 * in a list, a sentence, or nothing but a blank.
 */
interface Joint {
  readonly kind: "separator" | "tag" | "flag" | "pair" | "list" | "sentence" | "blank";
  readonly text: string;
}

function jointAfter(text: string, named: Named): Joint | undefined {
  const separator = matchAt(SEPARATOR, text, named.end);
  if (separator !== undefined) return { kind: "separator", text: separator };
  if (text[named.end] === ">" && text[named.start - 1] === "<") return { kind: "tag", text: ">" };
  if (text[named.end] === " " && FLAG_DASHES.test(text.slice(Math.max(0, named.start - 3), named.start)))
    return { kind: "flag", text: " " };
  for (const [kind, pattern] of OTHER_JOINTS) {
    const joint = matchAt(pattern, text, named.end);
    if (joint !== undefined) return { kind, text: joint };
  }
  return undefined;
}

const FLAG_DASHES = /--$|(?:^|\s)-$/;
const OTHER_JOINTS = [
  ["pair", PAIR],
  ["list", LISTED],
  ["sentence", SAID],
  ["blank", BLANK],
] as const;

function matchAt(pattern: RegExp, text: string, position: number): string | undefined {
  pattern.lastIndex = position;
  return pattern.exec(text)?.[0];
}

function secretAfter(text: string, named: Named): Find | undefined {
  // A shell variable with a default, `${DB_PASSWORD:-…}`, is code.
  if (text.startsWith("${", named.start - 2)) return undefined;
  const joint = jointAfter(text, named);
  if (joint === undefined) return undefined;
  const position = named.end + joint.text.length;
  const isSaid = joint.kind === "list" || joint.kind === "sentence" || joint.kind === "blank";
  if (/authorization$/i.test(named.name)) {
    if (isSaid) return undefined;
    const range = authorizationRange(text, position);
    return range === undefined ? undefined : { rule: "authorization", start: range.start, end: range.end };
  }
  const isEnvironment = joint.text === "=" && isEnvironmentLine(text, named);
  const bounds = boundsAt(text, position, isEnvironment);
  if (isSaid) return saidAfter(text, named, joint, bounds);
  if (joint.kind === "tag" && (bounds.isQuoted || !text.startsWith("</", bounds.end))) return undefined;
  const range = bounds.isQuoted
    ? quotedRange(text, named, bounds)
    : bareRange(text, named, joint, bounds, isEnvironment);
  if (range === undefined) return undefined;
  return { rule: ruleOf(text, named, joint, isEnvironment), start: range.start, end: range.end };
}

/** A bare word of a sentence: it ends at a mark of any script, and before a sentence's own. */
const SAID_WORD = /[^\s"'`<>()|\\\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7af]{4,200}/y;

/** Where no separator says that a value follows, the value must say that it is one. */
function saidAfter(text: string, named: Named, { kind, text: joint }: Joint, bounds: ValueBounds): Find | undefined {
  const word = bounds.isQuoted ? undefined : matchAt(SAID_WORD, text, bounds.start)?.replace(/[.,:;!?*_]{1,9}$/, "");
  const value = word ?? text.slice(bounds.start, bounds.end);
  const { name, strength } = named;
  // `"--password", "…"`, `PASSWORD '…'` of SQL.
  const isPlace = bounds.isQuoted && (text.startsWith("--", named.start - 2) || /^[A-Z]+$/.test(name));
  const isSaid =
    isPlace && strength === "strong" && !/\s/.test(value)
      ? isQuotedSecret(value, strength, name)
      : isSaidSecret(value, { strength, isStated: kind === "sentence", isQuoted: bounds.isQuoted });
  if (!isSaid) return undefined;
  const rule = kind === "list" ? (joint.includes("|") ? "named-cell" : "named-item") : "said-value";
  return { rule, start: bounds.start, end: bounds.start + value.length };
}

function ruleOf(text: string, named: Named, joint: Joint, isEnvironment: boolean): string {
  if (joint.kind === "tag") return "named-element";
  if (joint.kind === "flag") return "named-flag";
  if (joint.kind === "pair") return "named-pair";
  if (isEnvironment) return "environment-variable";
  return "?&".includes(text[named.start - 1] ?? "\n") ? "query-parameter" : "named-value";
}

function quotedRange(text: string, named: Named, bounds: ValueBounds): Range | undefined {
  return isQuotedSecret(text.slice(bounds.start, bounds.end), named.strength, named.name)
    ? extended(text, bounds)
    : undefined;
}

function bareRange(
  text: string,
  named: Named,
  joint: Joint,
  bounds: ValueBounds,
  isEnvironment: boolean,
): Range | undefined {
  // "PASS: TestLogin2" is a test's verdict.
  if (named.name === "PASS") return undefined;
  // A JSON key before a bare value: a number, a variable, a list. A mark there would break the JSON.
  if (/^\\{0,32}["'`]/.test(joint.text)) return undefined;
  // A bare word this long is key material, and judging it would cost its length again.
  if (bounds.end - bounds.start > LONGEST_WORD) return extended(text, bounds);
  const isSecret = isBareSecret(text.slice(bounds.start, bounds.end), {
    strength: named.strength,
    isAssignment: isEnvironment || isPlace(text, named, joint) || isAmongFields(text, named),
    isWholeLine: isWholeLine(text, named, bounds, joint.text),
  });
  return isSecret ? bounds : undefined;
}

/** Where nothing but a value can stand. Behind one dash, other things can. */
function isPlace(text: string, named: Named, { kind }: Joint): boolean {
  return kind === "tag" || kind === "pair" || (kind === "flag" && text.startsWith("--", named.start - 2));
}

/** A query parameter, or a field of a connection string. */
function isAmongFields(text: string, named: Named): boolean {
  const before = text[named.start - 1] ?? "\n";
  if (before === "?" || before === "&") return true;
  return before === ";" && CONNECTION_FIELD.test(text.slice(Math.max(0, named.start - 80), named.start));
}

const CONNECTION_FIELD =
  /(?:uid|user(?: ?id|name)?|server|host|database|initial catalog|port|data source|endpoint|sharedaccesskeyname) ?= ?[^;="'\s]{1,70};$/i;

/** `Authorization: Bearer x`, with or without quotes around `Bearer x`: the scheme stays. */
function authorizationRange(text: string, position: number): Range | undefined {
  const quote = matchAt(OPENING_QUOTE, text, position) ?? "";
  const scheme = matchAt(SCHEME, text, position + quote.length);
  const start = scheme === undefined ? position : position + quote.length + scheme.length;
  // `"Bearer " + token`
  if (scheme !== undefined && quote !== "" && text.startsWith(quote, start)) return undefined;
  const bounds = boundsAt(text, start, false);
  const value = text.slice(bounds.start, bounds.end);
  if (value.length < 6 || isReference(value) || /^(?:token|bearer|basic|required|header|string)/i.test(value)) {
    return undefined;
  }
  if (bounds.isQuoted) return extended(text, bounds);
  // A variable, or a number under that word.
  if (scheme === undefined && (/^[\w$]+$/.test(value) || /^\d+$/.test(value)) && !hasLetterAndDigit(value))
    return undefined;
  return /^[A-Za-z0-9._~+/=:-]{6,}$/.test(value) && !/^[\w$]{1,60}\.[A-Za-z_]/.test(value)
    ? extended(text, bounds)
    : undefined;
}

/** `NAME=` or `export NAME=` at a line's start, in capitals: the value runs to the next blank. */
function isEnvironmentLine(text: string, named: Named): boolean {
  if (!/^[A-Z0-9_]+$/.test(named.name)) return false;
  const before = text.slice(Math.max(0, named.start - 24), named.start);
  return /(?:^|[\n\r]|\\n|[;"'`])[ \t]{0,8}(?:export |set |ENV |ARG |env |-e )?$/.test(before) || /\s$/.test(before);
}

function isWholeLine(text: string, named: Named, bounds: ValueBounds, separator: string): boolean {
  const before = text.slice(Math.max(0, named.start - 80), named.start);
  const opens = /(?:^|[\n\r]|\\n)[ \t]{0,32}(?:[-*+>] )?[\w.-]{0,40}$/.test(before);
  const after = text.slice(bounds.end, bounds.end + 3);
  const closes = after === "" || /^[\n\r]|^\\n|^ #/.test(after);
  return opens && closes && (separator === "=" || /:[ \t]+$/.test(separator));
}

// Where the value after a secret's name begins and ends: inside its quotes (escaped ones too), or up to what
// ends a bare word. Looks a bounded way ahead for a closing quote, so that unclosed ones stay linear.

interface ValueBounds {
  readonly start: number;
  readonly end: number;
  readonly isQuoted: boolean;
  /** The bare word goes on behind the end: only this much is read before it is known to be a secret. */
  readonly goesOn?: RegExp;
}

/** UTF-16 units to look for a closing quote. */
const QUOTE_REACH = 4_000;
/** UTF-16 units of a bare word that are read before it is judged. */
const BARE_REACH = 1_000;
/** `@"…"` and `b"…"`, too: what a language writes before a text of its own kind. */
const OPENING = /(?:@|[bBrRuUL])?(\\{0,32})(["'`])/y;
/** A bare word; a bracket only inside it. */
const BARE = /(?:[^\s"'`&;)\]}<>\\]|[)\]}](?=[A-Za-z0-9])){1,1000}/y;
const WHOLE_LINE = /[^\s"'`\\]{1,1000}/y;

/** The value at `position`, which stands after the separator. `takesAll`: only blanks and quotes end a bare word. */
function boundsAt(text: string, position: number, takesAll: boolean): ValueBounds {
  OPENING.lastIndex = position;
  const opening = OPENING.exec(text);
  if (opening !== null) {
    const start = OPENING.lastIndex;
    const end = closingQuote(text, start, opening[1]?.length ?? 0, opening[2] ?? '"');
    if (end !== undefined) return { start, end, isQuoted: true };
    return bareBounds(start, matchEnd(BARE, text, start), true, BARE);
  }
  const pattern = takesAll ? WHOLE_LINE : BARE;
  const end = matchEnd(pattern, text, position);
  return bareBounds(position, takesAll ? end : withoutTail(text, position, end), false, pattern);
}

function bareBounds(start: number, end: number, isQuoted: boolean, pattern: RegExp): ValueBounds {
  return end - start < BARE_REACH ? { start, end, isQuoted } : { start, end, isQuoted, goesOn: pattern };
}

/** The bounds of a secret to its true end. What is read here is never read again, so its length needs no limit. */
function extended(text: string, bounds: ValueBounds): ValueBounds {
  const { goesOn, start } = bounds;
  if (goesOn === undefined) return bounds;
  let { end } = bounds;
  for (let next = matchEnd(goesOn, text, end); next > end; next = matchEnd(goesOn, text, end)) end = next;
  return { start, end, isQuoted: bounds.isQuoted };
}

function matchEnd(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}

/**
 * A quote closes what was opened with `depth` backslashes when it has no more than as many; without any, when
 * their number is even. So `\"pass\\\"word\"` inside a JSON string ends at the right place.
 */
function closingQuote(text: string, start: number, depth: number, quote: string): number | undefined {
  const reach = Math.min(text.length, start + QUOTE_REACH);
  let backslashes = 0;
  for (let index = start; index < reach; index++) {
    const character = text[index];
    if (character === "\\") {
      backslashes++;
      continue;
    }
    const isClosing = depth === 0 ? backslashes % 2 === 0 : backslashes <= depth;
    if (character === quote && isClosing) return depth === 0 ? index : index - backslashes;
    backslashes = 0;
  }
  return undefined;
}

/** A comma, or the mark before an address's query, ends a bare word where another field or the line's end follows; full stops and colons end a sentence. */
function withoutTail(text: string, start: number, end: number): number {
  const word = text.slice(start, Math.min(end, start + QUOTE_REACH));
  const field = /[,?](?=$|[A-Za-z_][\w.-]{0,40}[=:])/.exec(word);
  let last = field === null ? end : start + field.index;
  while (last > start && ",.:".includes(text[last - 1] ?? "")) last--;
  return last;
}
