// The pieces that the configuration's schemas are made of: kinds of values, blocks that refuse unknown keys, and what
// a key means. Each message completes the sentence that starts with the field's path.
import * as z from "zod/mini";
import { figure } from "../text/figures.ts";
import { nearest } from "../text/nearest-name.ts";

export const MOST_TOKENS = 100_000_000;

export function whole(least: number, most: number) {
  const message = `must be a whole number from ${figure(least)} to ${figure(most)}`;
  return z.int(message).check(z.gte(least, message), z.lte(most, message));
}

export function share() {
  const message = "must be 0.0-1.0, above 0";
  return z.number(message).check(z.gt(0, message), z.lte(1, message));
}

export function between(least: number, most: number) {
  const message = `must be a number from ${least} to ${most}`;
  return z.number(message).check(z.gte(least, message), z.lte(most, message));
}

export function oneOf<const Choices extends readonly [string, ...string[]]>(choices: Choices) {
  return z.enum(choices, `must be one of: ${choices.join(", ")}`);
}

export const yesOrNo = z.boolean("must be true or false");
export const text = z.string("must be a text").check(z.regex(/\S/, "must not be empty"));

export function listOf<Element extends z.ZodMiniType>(element: Element, what: string) {
  return z.array(element, `must be a list of ${what}`);
}

/** With a rule of its own: what is wrong with the value, as the end of a sentence; undefined when nothing is. */
export function checked<Schema extends z.ZodMiniType>(
  schema: Schema,
  fault: (value: z.output<Schema>) => string | undefined,
) {
  return schema.check(({ value, issues }) => {
    const message = fault(value as z.output<Schema>);
    if (message !== undefined) issues.push({ code: "custom", message, input: "" });
  });
}

/** For a block whose keys are right alone and may be wrong together. */
export function checkedTogether<Schema extends z.ZodMiniType>(
  schema: Schema,
  faults: (value: z.output<Schema>) => readonly { readonly path: readonly string[]; readonly message: string }[],
) {
  return schema.check(({ value, issues }) => {
    for (const { path, message } of faults(value as z.output<Schema>))
      issues.push({ code: "custom", path: [...path], message, input: "" });
  });
}

/** A block of keys. Unknown ones are refused, each with its own line of the message, in the order of `keys`. */
export function strict<const Shape extends z.core.$ZodLooseShape>(shape: Shape) {
  const names = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => describeUnknownKey(key, names)).join("\n")
        : "must hold keys and values",
  });
}

interface KeyNotes {
  readonly default?: unknown;
  /** What stands in for a default that depends on something else. */
  readonly note?: string;
  readonly example?: unknown;
}

/** An optional key and its meaning, from which the reference page, the JSON Schema and the template are made. */
export function key<Value extends z.ZodMiniType>(schema: Value, meaning: string, notes: KeyNotes = {}) {
  return z.optional(schema).check(z.meta({ description: meaning, ...notes }));
}

/** Whoever looks for these wants to put a secret into a file. */
const SECRET_NAMES = ["apikey", "key", "token", "authtoken", "accesstoken", "secret", "secretkey", "password"];

const KEY_ADVICE =
  "is refused: API keys come from the environment, never from the configuration (COMPACT_SUMMARIZER_API_KEY)";

/** Keys that only code has, each by a key beside it, and why. */
const IN_CODE_ONLY = [
  {
    key: "literals",
    beside: "patterns",
    advice:
      "are taken from code only (new CompactManager({ redaction: { literals } })): a file that lists secrets is one more leak",
  },
] as const;

/** Letters by which the beginning of a name is told. */
const LEAST_START = 3;

/** Completes the sentence that starts with the key's path. */
export function describeUnknownKey(key: string, known: readonly string[], elsewhere: readonly string[] = []): string {
  if (SECRET_NAMES.includes(key.replace(/[_-]/g, "").toLowerCase())) return KEY_ADVICE;
  const inCode = IN_CODE_ONLY.find((only) => only.key === key && known.includes(only.beside));
  if (inCode !== undefined) return inCode.advice;
  const suggestion =
    nearest(key, known) ?? elsewhere.find((name) => spellingsOf(key).some((spelled) => isCalled(name, spelled)));
  return `is not a known key${suggestion === undefined ? "" : `, did you mean ${suggestion}?`}`;
}

function spellingsOf(key: string): readonly string[] {
  return [key, toSnakeCase(key), toCamelCase(key)];
}

function isCalled(name: string, key: string): boolean {
  return name === key || name.endsWith(`.${key}`);
}

/** The share that `95`, `95%` or `0,9` stands for, and the choice that a misspelt one does. */
export function suggestValue(message: string, value: unknown): string | undefined {
  if (message.startsWith("must be 0.0-1.0")) return suggestShare(value);
  const choices = /^must be one of: (.{1,200})$/.exec(message)?.[1]?.split(", ");
  return choices !== undefined && typeof value === "string" ? suggestChoice(value.trim(), choices) : undefined;
}

/** A name that was begun (`openai`, `prune`) means the only one that begins so. */
function suggestChoice(value: string, choices: readonly string[]): string | undefined {
  const start = value.slice(0, Math.max(LEAST_START, value.length - 1)).toLowerCase();
  const begun = start.length < LEAST_START ? [] : choices.filter((choice) => choice.toLowerCase().startsWith(start));
  if (begun.length === 1) return begun[0];
  // In a short word two other letters are another word.
  return nearest(
    value,
    choices.filter((choice) => value.length > LEAST_START || choice.length === value.length),
  );
}

function suggestShare(value: unknown): string | undefined {
  const number = typeof value === "string" ? Number(value.trim().replace(",", ".").replace(/ ?%$/, "")) : value;
  if (typeof number !== "number" || !(number > 0)) return undefined;
  if (typeof value === "string" && number <= 1) return value.includes("%") ? String(number / 100) : String(number);
  return number > 2 && number <= 100 ? String(Number((number / 100).toFixed(6))) : undefined;
}

// Which addresses a model may be called at, and events may be sent to. Conversations and keys travel there, so plain http is for this machine and
// private networks only, and an address holds no secrets.

const KEYS_ELSEWHERE = ": keys come from the environment (COMPACT_SUMMARIZER_API_KEY)";

/** What is wrong with it, as the end of a sentence; undefined when nothing is. `keysElsewhere` tells what to do with a key. */
export function findBaseUrlFault(address: string, keysElsewhere = KEYS_ELSEWHERE): string | undefined {
  return findAddressFault(address, {
    user: `must not hold a user name or a key${keysElsewhere}`,
    query: "must end before ? and #: paths are added to it",
  });
}

/** `user`, `query`: what to say of an address with a user name, and of one with parameters. */
export function findAddressFault(
  address: string,
  { user, query }: { readonly user: string; readonly query: string },
): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return "must be an http or https address";
  if (url.username !== "" || url.password !== "") return user;
  if (/[?#]/.test(address)) return query;
  if (url.protocol === "http:" && !isPrivateHost(url.hostname))
    return "must begin with https: plain http is for this machine and private networks only";
  return undefined;
}

/** Loopback, private address ranges, and names that only a local network knows. */
function isPrivateHost(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, "");
  if (name.startsWith("[")) return /^\[(?:::1|f[cd][\da-f]{2}:.{0,40})\]$/.test(name);
  const parts = name.split(".");
  if (parts.length === 4 && parts.every((part) => /^\d{1,3}$/.test(part))) return isPrivateAddress(parts.map(Number));
  return parts.length === 1 || /\.(?:localhost|local|internal|lan|home\.arpa)$/.test(name);
}

/** 0.0.0.0 is this machine; 100.64-127 is shared by private overlay networks. */
function isPrivateAddress([a = 256, b = 256]: readonly number[]): boolean {
  if (a === 0 || a === 10 || a === 127) return true;
  if (a === 172) return b >= 16 && b <= 31;
  return (a === 192 && b === 168) || (a === 100 && b >= 64 && b <= 127);
}

/** Where each type goes when nobody says otherwise, and the host that may see that provider's own key. */
export const PROVIDER_ADDRESSES = {
  "openai-compatible": "https://api.openai.com/v1",
  anthropic: "https://api.anthropic.com",
} as const;

// Configuration files and the environment say `trigger_pct`, code says `triggerPct`. The names below `models` and
// `decisions.policies` are the user's own and stay as they are.

/** Blocks whose keys are names of the user's own. */
const NAMED_BLOCKS: readonly (readonly string[])[] = [["models"], ["decisions", "policies"]];

/** Whether the segment of a path at `index` is such a name. */
export function isOwnName(path: readonly PropertyKey[], index: number): boolean {
  return NAMED_BLOCKS.some((block) => index === block.length && block.every((name, at) => path[at] === name));
}

export function toCamelCase(key: string): string {
  return key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

export function toSnakeCase(key: string): string {
  return key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** A field's path as a file and the documentation write it: `policy.trigger_pct`, `redaction.patterns[0]`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((segment, index) => {
      if (typeof segment === "number") return `[${segment}]`;
      const name = isOwnName(path, index) ? String(segment) : toSnakeCase(String(segment));
      return index === 0 ? name : `.${name}`;
    })
    .join("");
}
