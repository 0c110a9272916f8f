// The values of a session file, whether it is JSON Lines, one JSON document, or a document that is a list.
import { type JsonLineFault, readJsonValues } from "../text/json.ts";
import type { ReadNote } from "./session-reader.ts";

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
export function readSessionValues(text: string): SessionValues {
  const whole = parseDocument(text);
  if (whole === undefined) return readJsonValues(text);
  const values = Array.isArray(whole.value) ? whole.value : [whole.value];
  return { values: values.map((value: unknown) => ({ value, line: 0 })), faults: [] };
}

/** For hosts that write JSON Lines: those, or the elements of the one list that somebody made of them. */
export function readLineValues(text: string): SessionValues {
  return /^\s*\[/.test(text.slice(0, LONGEST_OPENING)) ? readSessionValues(text) : readJsonValues(text);
}

/** The value of a text that is one JSON document, else undefined. */
export function parseDocument(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text) };
  } catch {
    return undefined;
  }
}

/** The lines of each message, none in a file that is one JSON document. */
export function withoutDocument(sources: readonly (readonly number[])[]): readonly (readonly number[])[] {
  return sources.some((lines) => lines.includes(0)) ? sources.map(() => []) : sources;
}

// What a reader of session files says about the things it left out or put right. Empty where there was nothing.

export function noteFaults(faults: readonly JsonLineFault[]): readonly ReadNote[] {
  const [torn] = faults.filter(({ reason }) => reason === "torn");
  const unreadable = faults.filter(({ reason }) => reason !== "torn").length;
  return [
    ...(torn === undefined ? [] : [note("torn_line", `line ${torn.line} is cut off and was left out`)]),
    ...(unreadable === 0 ? [] : [note("unreadable_lines", `${count(unreadable, "line")} could not be read`)]),
  ];
}

export function noteJoined(sessions: number): readonly ReadNote[] {
  if (sessions < 2) return [];
  return [note("joined_sessions", `${sessions} sessions in the file were joined, one after another`)];
}

export function noteRepeated(lines: number): readonly ReadNote[] {
  if (lines === 0) return [];
  const repeats = lines === 1 ? "repeats" : "repeat";
  return [note("repeated_lines", `${count(lines, "line")} that ${repeats} an earlier one left out`)];
}

export function noteRewound(prompts: number): readonly ReadNote[] {
  if (prompts === 0) return [];
  const [thatWas, were] = prompts === 1 ? ["that was", "was"] : ["that were", "were"];
  return [note("rewound_prompts", `${count(prompts, "prompt")} ${thatWas} taken back ${were} left out`)];
}

export function noteGaps(gaps: number): readonly ReadNote[] {
  if (gaps === 0) return [];
  return [
    note(
      "missing_parents",
      `${count(gaps, "time")} the message before was not in the file, and the nearest one was taken`,
    ),
  ];
}

export function noteCompactions(compactions: number): readonly ReadNote[] {
  if (compactions === 0) return [];
  return [
    note(
      "host_compactions",
      `${count(compactions, "compaction")} of the host undone: the messages before are in the file`,
    ),
  ];
}

export function noteUnsigned(passages: number): readonly ReadNote[] {
  if (passages === 0) return [];
  const were = passages === 1 ? "was" : "were";
  return [
    note(
      "unsigned_reasoning",
      `${count(passages, "passage")} of reasoning without a signature that Anthropic knows ${were} left out`,
    ),
  ];
}

/** `what` goes on from the noun: "of the host's own". */
export function noteLeftOut(number: number, noun: string, what: string): readonly ReadNote[] {
  if (number === 0) return [];
  return [note("left_out", `${count(number, noun)} ${what} ${number === 1 ? "was" : "were"} left out`)];
}

function note(code: ReadNote["code"], message: string): ReadNote {
  return { code, message };
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
