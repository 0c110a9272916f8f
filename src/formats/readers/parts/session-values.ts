// The values of a session file, whether it is JSON Lines, one JSON document, or a document that is a list.
import type { JsonLineFault } from "../../../text/jsonl.ts";
import { readJsonValues } from "../../../text/jsonl.ts";

/** White space and a byte order mark before the first bracket. */
const LONGEST_OPENING = 1_000;

export interface SessionValue {
  readonly value: unknown;
  /** 1-based; 0 in a file that is one JSON document. */
  readonly line: number;
}

export interface SessionValues {
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
