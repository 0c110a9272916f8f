// Takes ranges of whole lines out of a file, as bytes: what stays is copied, not decoded. And the other way round.
import type { PlannedRange } from "./plan.ts";
import type { MemoryFile } from "./workspace.ts";

export type Cut = Pick<PlannedRange, "byte_from" | "byte_to"> & { readonly insert?: string | undefined };

const encoder = new TextEncoder();

/** Ranges in order, apart from each other. */
export function without(bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  const parts: Uint8Array[] = [];
  let at = 0;
  for (const { byte_from, byte_to, insert } of cuts) {
    parts.push(bytes.subarray(at, byte_from));
    if (insert !== undefined) parts.push(encoder.encode(insert));
    at = byte_to;
  }
  parts.push(bytes.subarray(at));
  return Buffer.concat(parts);
}

/** What they take out, one after the other. */
export function removedBytes(bytes: Uint8Array, cuts: readonly Cut[]): Uint8Array {
  return Buffer.concat(cuts.map(({ byte_from, byte_to }) => bytes.subarray(byte_from, byte_to)));
}

/** `kept` as it was before the cuts were made, given what they took out. Undefined where the lengths do not fit. */
export function putBack(kept: Uint8Array, removed: Uint8Array, cuts: readonly Cut[]): Uint8Array | undefined {
  const parts: Uint8Array[] = [];
  let length = 0;
  let [fromKept, fromRemoved] = [0, 0];
  for (const { byte_from, byte_to, insert = "" } of cuts) {
    const stays = kept.subarray(fromKept, fromKept + byte_from - length);
    const back = removed.subarray(fromRemoved, fromRemoved + byte_to - byte_from);
    parts.push(stays, back);
    length += stays.length + back.length;
    if (length !== byte_to) return undefined;
    fromKept += stays.length + encoder.encode(insert).length;
    fromRemoved += back.length;
  }
  parts.push(kept.subarray(fromKept));
  return Buffer.concat(parts);
}

/** Where a place of the file stands once the cuts before it are made. */
export function shift(place: number, cuts: readonly Cut[]): number {
  const moved = cuts.filter(({ byte_to }) => byte_to <= place);
  return moved.reduce((at, cut) => at - (cut.byte_to - cut.byte_from) + encoder.encode(cut.insert ?? "").length, place);
}

/** Both ends of each range are borders between lines of the file. */
export function areWholeLines({ lines, bytes }: MemoryFile, cuts: readonly Cut[]): boolean {
  const borders = new Set(lines.map(({ start }) => start));
  borders.add(lines.at(-1)?.end ?? bytes.length);
  return cuts.every(({ byte_from, byte_to }) => byte_from < byte_to && borders.has(byte_from) && borders.has(byte_to));
}

// The lines that stand around what leaves a file, as they stand there afterwards: by them its place is found again when the
// file has been edited.

interface Context {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

const MOST_LINES = 3;

/** For each of `cuts`, what surrounds it once all of `made` are made. Both in order; `made` holds `cuts`. */
export function contextsOf({ lines }: MemoryFile, cuts: readonly Cut[], made: readonly Cut[]): readonly Context[] {
  const kept: string[] = [];
  const places = new Map<Cut, { from: number; to: number }>();
  let line = 0;
  for (const cut of made) {
    for (; line < lines.length && (lines[line]?.start ?? 0) < cut.byte_from; line++) kept.push(lines[line]?.text ?? "");
    const from = kept.length;
    kept.push(...linesIn(cut.insert ?? ""));
    places.set(cut, { from, to: kept.length });
    while (line < lines.length && (lines[line]?.start ?? 0) < cut.byte_to) line++;
  }
  for (; line < lines.length; line++) kept.push(lines[line]?.text ?? "");
  return cuts.map((cut) => {
    const { from, to } = places.get(cut) ?? { from: 0, to: 0 };
    return { before: kept.slice(Math.max(0, from - MOST_LINES), from), after: kept.slice(to, to + MOST_LINES) };
  });
}

/** Without their ends; a final end does not begin another line. */
export function linesIn(text: string): readonly string[] {
  if (text === "") return [];
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === "") lines.pop();
  return lines;
}
