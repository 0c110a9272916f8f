// The values of a session file, whether it is JSON Lines, one JSON document, or a document that is a list.
import { plainPlural } from "../text/figures.ts";
import { type JsonLineFault, readJsonValues } from "../text/json.ts";
import { parseJson } from "../text/parse-json.ts";
import type { ReadNote, SessionText } from "./session-reader.ts";

/** White space and a byte order mark before the first bracket. */
const LONGEST_OPENING = 1_000;

export interface SessionValue {
  readonly value: unknown;
  /** 1-based; 0 in a file that is one JSON document. */
  readonly line: number;
}

interface SessionValues {
  readonly values: readonly SessionValue[];
  readonly faults: readonly JsonLineFault[];
}

/** As `SessionReader.matches` is given them: the elements of a list, else the one value, else those of the lines. */
export function readSessionValues(from: SessionText): SessionValues {
  const whole = typeof from === "string" ? parseDocument(from) : from;
  if (whole === undefined) return readJsonValues(from as string);
  if ("values" in whole) return whole;
  const values = Array.isArray(whole.value) ? whole.value : [whole.value];
  return { values: values.map((value: unknown) => ({ value, line: 0 })), faults: [] };
}

/** For hosts that write JSON Lines: those, or the elements of the one list that somebody made of them. */
export function readLineValues(from: SessionText): SessionValues {
  if (typeof from === "string")
    return /^\s*\[/.test(from.slice(0, LONGEST_OPENING)) ? readSessionValues(from) : readJsonValues(from);
  const isLine = from.kind === "document" && !Array.isArray(from.value);
  return isLine ? { values: [{ value: from.value, line: 1 }], faults: [] } : readSessionValues(from);
}

/** The value of a text that is one JSON document, else undefined. */
export function parseDocument(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: parseJson(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch {
    return undefined;
  }
}

/** The lines of each message, none in a file that is one JSON document. */
export function withoutDocument(sources: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return sources.some((lines) => lines.includes(0)) ? sources.map(() => []) : sources;
}

// What a reader of session files says about the things it left out or put right: one sentence for each that there were.

export interface Counts {
  /** Conversations in the file, one after another. */
  readonly sessions?: number;
  readonly repeated?: number;
  readonly rewound?: number;
  readonly gaps?: number;
  readonly compactions?: number;
  readonly unsigned?: number;
  /** How many of what; the last goes on from the noun: "of the host's own". */
  readonly leftOut?: readonly (readonly [count: number, noun: string, what: string])[];
}

type Sentence = readonly [Exclude<keyof Counts, "leftOut">, ReadNote["code"], (count: number) => string];

const SENTENCES: readonly Sentence[] = [
  ["sessions", "joined_sessions", (n) => `${n} sessions in the file were joined, one after another`],
  [
    "repeated",
    "repeated_lines",
    (n) => `${plainPlural(n, "line")} that repeat${n === 1 ? "s" : ""} an earlier one left out`,
  ],
  ["rewound", "rewound_prompts", (n) => `${plainPlural(n, "prompt")} that ${was(n)} taken back ${was(n)} left out`],
  [
    "gaps",
    "missing_parents",
    (n) => `${plainPlural(n, "time")} the message before was not in the file, and the nearest one was taken`,
  ],
  [
    "compactions",
    "host_compactions",
    (n) => `${plainPlural(n, "compaction")} of the host undone: the messages before are in the file`,
  ],
  [
    "unsigned",
    "unsigned_reasoning",
    (n) => `${plainPlural(n, "passage")} of reasoning without a signature that Anthropic knows ${was(n)} left out`,
  ],
];

export function sessionNotes(faults: readonly JsonLineFault[], counts: Counts = {}): readonly ReadNote[] {
  const torn = faults.find(({ reason }) => reason === "torn");
  const unreadable = faults.filter(({ reason }) => reason !== "torn").length;
  const notes: ReadNote[] = [];
  if (torn !== undefined) notes.push({ code: "torn_line", message: `line ${torn.line} is cut off and was left out` });
  if (unreadable > 0)
    notes.push({ code: "unreadable_lines", message: `${plainPlural(unreadable, "line")} could not be read` });
  for (const [name, code, messageOf] of SENTENCES) {
    const count = counts[name] ?? 0;
    if (count > (name === "sessions" ? 1 : 0))
      notes.push({ code, message: messageOf(count), ...(name === "compactions" ? { count } : {}) });
  }
  for (const [count, noun, what] of counts.leftOut ?? []) {
    if (count > 0)
      notes.push({ code: "left_out", message: `${plainPlural(count, noun)} ${what} ${was(count)} left out` });
  }
  return notes;
}

function was(count: number): string {
  return count === 1 ? "was" : "were";
}

/** A number of tokens that a host gives as its model's window. */
export function isWindow(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
