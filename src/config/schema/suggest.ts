// Guesses what was probably meant: the nearest known name, and the value that somebody wrote in another notation.
import { nearest } from "../../text/nearest-name.ts";
import { toCamelCase, toSnakeCase } from "../key-case.ts";

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

/** The value as the field takes it, for `95` or `95%` as a share, `0,9`, `128k`, `128_000`, or a misspelt choice. */
export function suggestValue(message: string, value: unknown): string | undefined {
  if (message.startsWith("must be 0.0-1.0")) return suggestShare(value);
  if (message.startsWith("must be a whole number")) return suggestWhole(value);
  if (message.startsWith("must be true or false")) return suggestSwitch(value);
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

/** YAML of old took these words for true and false. */
function suggestSwitch(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  if (/^(?:yes|y|on|enabled?)$/i.test(value.trim())) return "true";
  return /^(?:no|n|off|disabled?|none)$/i.test(value.trim()) ? "false" : undefined;
}

function suggestShare(value: unknown): string | undefined {
  const number = typeof value === "string" ? Number(value.trim().replace(",", ".").replace(/ ?%$/, "")) : value;
  if (typeof number !== "number" || !(number > 0)) return undefined;
  if (typeof value === "string" && number <= 1) return value.includes("%") ? String(number / 100) : String(number);
  return number > 2 && number <= 100 ? String(Number((number / 100).toFixed(6))) : undefined;
}

function suggestWhole(value: unknown): string | undefined {
  if (typeof value !== "string") return undefined;
  const [, digits = "", unit = ""] = /^([\d][\d,_ .]{0,15}?) ?([km]?)$/i.exec(value.trim()) ?? [];
  const isGrouped = /^\d{1,3}(?:[,_ .]\d{3}){1,4}$/.test(digits);
  const number = Number(isGrouped ? digits.replace(/[,_ .]/g, "") : digits);
  const factor = { "": 1, k: 1000, m: 1_000_000 }[unit.toLowerCase()] ?? 1;
  if (digits === "" || !Number.isFinite(number) || (unit !== "" && isGrouped)) return undefined;
  const meant = Math.round(number * factor);
  return meant > 0 && (unit !== "" || isGrouped) ? String(meant) : undefined;
}
