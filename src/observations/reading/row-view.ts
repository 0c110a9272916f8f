// What became of rows that are no longer live, so that a deleted row is never shown as a live one and its summary is
// one step away.
import { CompactError } from "../../errors.ts";
import { cutAtCodePoint, toWellFormed } from "../../text/quote.ts";
import { COMPACTED_FROM, type Observation, type Relation } from "../observation.ts";
import type { ObservationReader } from "../observation-store.ts";

/** The rows that stand for a deleted one, latest first; empty for a row deleted by itself. */
export type Successors = ReadonlyMap<number, readonly number[]>;

export async function successorsOf(rows: ObservationReader, observations: readonly Observation[]): Promise<Successors> {
  const deleted = observations.filter(({ deleted_at }) => deleted_at !== null).map(({ id }) => id);
  const successors = new Map<number, number[]>(deleted.map((id) => [id, []]));
  if (deleted.length === 0) return successors;
  for (const { type, from_id, to_id } of await rows.relations(deleted)) {
    if (type === COMPACTED_FROM) successors.get(to_id)?.unshift(from_id);
  }
  return successors;
}

/** The rows that a row stands for, in the order in which they were compacted. */
export function compactedIds(relations: readonly Relation[], id: number): readonly number[] {
  return relations.filter(({ type, from_id }) => type === COMPACTED_FROM && from_id === id).map(({ to_id }) => to_id);
}

/** `(deleted)`, `(compacted into #n)`; empty for a live row. */
export function statusMark(isDeleted: boolean, compactedInto: readonly number[]): string {
  if (!isDeleted) return "";
  const [latest] = compactedInto;
  return latest === undefined ? "(deleted)" : `(compacted into #${latest})`;
}

/** Whether it is a whole number from 1. */
export function isId(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) > 0;
}

interface ReadableRow {
  readonly observation: Observation;
  readonly compactedInto: readonly number[];
}

/**
 * The row of an id.
 * @throws InvalidInput for what is no id; NotFound for an unknown one and, unless asked for, for a deleted one, with a
 * hint that says where its content went.
 */
export async function readableRow(
  rows: ObservationReader,
  id: number,
  { includeCompacted }: { readonly includeCompacted: boolean },
): Promise<ReadableRow> {
  if (!isId(id)) {
    throw new CompactError("InvalidInput", `An observation id is a whole number from 1, not ${id}.`, {
      code: "INVALID_ID",
      hint: "A search shows the ids.",
    });
  }
  const [observation] = await rows.observations([id]);
  if (observation === undefined) {
    throw new CompactError("NotFound", `Observation ${id} does not exist.`, {
      code: "OBSERVATION_NOT_FOUND",
      hint: "A search shows the ids that there are.",
      data: { id },
    });
  }
  const compactedInto = (await successorsOf(rows, [observation])).get(id) ?? [];
  if (observation.deleted_at !== null && !includeCompacted) throw deleted(id, compactedInto);
  return { observation, compactedInto };
}

function deleted(id: number, compactedInto: readonly number[]): CompactError {
  const [latest] = compactedInto;
  const how = latest === undefined ? "is deleted" : `is deleted: it was compacted into observation ${latest}`;
  return new CompactError("NotFound", `Observation ${id} ${how}.`, {
    code: "OBSERVATION_DELETED",
    hint: "Read it among compacted rows, or restore it.",
    data: { id, compacted_into: compactedInto },
  });
}

// A piece of a row's text on one line, for lists. What stands in it cannot begin a line of its own, so no row can look
// like another.

export const SNIPPET_LENGTH = 300;

/** White space and line ends of every script, controls, and marks that turn the direction of a line. */
const BREAKS = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;
const BREAK = /[\s\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u;

/** The whole text on one line: runs of white space and controls become one space. */
export function oneLine(text: string): string {
  return toWellFormed(text).replace(BREAKS, " ").trim();
}

/**
 * The code points of a text from an offset on, on one line, `...` before and after them where there is more. Never ends
 * inside a character.
 */
export function snippetOf(text: string, codePoints = SNIPPET_LENGTH, from = 0): string {
  if (from > 0) return `...${snippetOf(text.slice(from), codePoints)}`;
  const start = firstShown(text);
  // Looking further would cost more and show no more, but for a long run of white space in the middle.
  const windowEnd = start + codePoints * 4;
  const line = oneLine(text.slice(start, windowEnd));
  const isWhole = windowEnd >= text.length;
  const kept = cutAtCodePoint(line, codePoints) || firstPoints(line, codePoints);
  return isWhole && kept.length === line.length ? kept : `${kept.trimEnd()}...`;
}

function firstShown(text: string): number {
  let start = 0;
  while (start < text.length && BREAK.test(text.charAt(start))) start++;
  return start;
}

/** Where all of it is one character, as marks stacked on a letter: better a part of it than nothing. */
function firstPoints(text: string, codePoints: number): string {
  return Array.from(text.slice(0, codePoints * 2))
    .slice(0, codePoints)
    .join("");
}
