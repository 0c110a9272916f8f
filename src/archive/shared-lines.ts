// A list of JSON values as lines, of which some lie in another file of the same kind: how a message that several steps
// hold is stored once. A list that shares nothing is plain JSON Lines, as archives have always written it. One that does
// begins with a header, and its lines that are JSON arrays are ours:
//   ["same", 4, 2, 7, 30]             values from the 4th on are the lines 7 to 30 of file 2
//   ["summary", 4, 2, "{..", "..}"]   the 4th value is this line around the text of summary 2
//   ["value", [..]]                   a value that is itself an array
//   ["end", 31]                       so many values in all
// Each says where it stands, so that a damaged one shifts no number. Where a list was plain once and others may refer to
// its lines, each value keeps its line, and the header holds the first. Pure but for what is read through `Origins`.
import { CompactError } from "../errors.ts";
import { sha256OfBytes } from "../storage/sha256.ts";
import { parseJson } from "../text/parse-json.ts";
import { joinBytes } from "./content.ts";

const MAGIC = "agent-compact lines";
export const HEADER = JSON.stringify([MAGIC, 1]);
export const HEADER_START = HEADER.slice(0, -1);
const LINE_BREAK = 0x0a;
export const BREAK = new Uint8Array([LINE_BREAK]);

export const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Where a line lies: which file of its kind, and its number there, from 1. */
export interface Place {
  readonly file: number;
  readonly line: number;
}

/** Lines of one file that stand in a row, both ends with them. */
export interface LineRange {
  readonly file: number;
  readonly first: number;
  readonly last: number;
}

// Reading: the lines of a file, which of them are ours, and the list that they make up.

/** A file's lines. Those that are empty were taken out because nobody needed them any more. */
export class StoredLines {
  readonly #bytes: Uint8Array;
  readonly #starts: readonly number[];
  /** It begins with the header. */
  readonly isShared: boolean;
  /** The file breaks off behind its last line, or within it. */
  readonly isTorn: boolean;

  constructor({ bytes, isTorn }: { readonly bytes: Uint8Array; readonly isTorn: boolean }) {
    const starts: number[] = [];
    for (let start = 0; start < bytes.length; ) {
      starts.push(start);
      const end = bytes.indexOf(LINE_BREAK, start);
      start = end < 0 ? bytes.length : end + 1;
    }
    this.#bytes = bytes;
    this.#starts = starts;
    // Where one of the two is damaged, the other tells.
    const last = parseLine(this.#text(starts.length));
    const hasEnd = Array.isArray(last) && partOf(last)?.kind === "end";
    this.isShared = this.#text(1).startsWith(HEADER_START) || hasEnd;
    this.isTorn = isTorn || (this.isShared && !hasEnd && bytes.at(-1) === LINE_BREAK);
  }

  get count(): number {
    return this.#starts.length;
  }

  /** False where the last line was torn. */
  get endsWithBreak(): boolean {
    return this.#bytes.at(-1) === LINE_BREAK;
  }

  get bytes(): number {
    return this.#bytes.length;
  }

  /** Of one line, in bytes. */
  size(line: number): number {
    return this.#raw(line).length;
  }

  #raw(line: number): Uint8Array {
    const start = this.#starts[line - 1] ?? this.#bytes.length;
    const next = this.#starts[line] ?? this.#bytes.length;
    return this.#bytes.subarray(start, this.#bytes[next - 1] === LINE_BREAK ? next - 1 : next);
  }

  #text(line: number): string {
    return DECODER.decode(this.#raw(line));
  }

  /** What a line holds, from 1; undefined where it is damaged or not there. */
  part(line: number): Part | undefined {
    const text = this.#text(line);
    if (text.trim() === "") return line > this.count ? undefined : { kind: "empty" };
    const value = parseLine(text);
    if (!this.isShared) return value === undefined ? undefined : { kind: "value", value };
    if (line === 1) {
      const first: unknown = Array.isArray(value) && value[0] === MAGIC ? value[2] : undefined;
      // The header alone, whole or damaged.
      if (first === undefined) return { kind: "empty" };
      return Array.isArray(first) ? partOf(first) : { kind: "value", value: first };
    }
    if (value === undefined) return undefined;
    return Array.isArray(value) ? partOf(value) : { kind: "value", value };
  }

  /** What this file takes from others of its kind, and whose texts stand in its lines. Damaged lines take nothing. */
  uses(): { readonly ranges: readonly LineRange[]; readonly texts: ReadonlyMap<number, number> } {
    const ranges: LineRange[] = [];
    const texts = new Map<number, number>();
    for (let line = 1; this.isShared && line <= this.count; line++) {
      if (this.#bytes[this.#starts[line - 1] ?? 0] !== BRACKET) continue;
      const part = this.part(line);
      if (part?.kind === "same") ranges.push(part);
      if (part?.kind === "summary") texts.set(line, part.file);
    }
    return { ranges, texts };
  }

  /** Where each value of the list is stored, if nothing is damaged; `own` is this file's number. */
  places(own: number): readonly Place[] {
    const places: Place[] = [];
    for (let line = 1; line <= this.count; line++) {
      const part = this.part(line);
      if (part?.kind === "value" || part?.kind === "summary") places.push({ file: own, line });
      if (part?.kind !== "same") continue;
      for (let from = part.first; from <= part.last; from++) places.push({ file: part.file, line: from });
    }
    return places;
  }

  /** The same file with nothing in the lines but those for which `isNeeded` holds. Every line keeps its number. */
  without(isNeeded: (line: number) => boolean): Uint8Array {
    const pieces: Uint8Array[] = [];
    for (let line = 1; line <= this.count; line++) {
      const rest = this.isShared && line === 1 ? encode(HEADER) : NOTHING;
      const stays = isNeeded(line) || (this.isShared && line === this.count);
      pieces.push(stays ? this.#raw(line) : rest, BREAK);
    }
    return joinBytes(pieces);
  }
}

const NOTHING = new Uint8Array();
const DECODER = new TextDecoder();
const BRACKET = 0x5b;

type Part =
  | { readonly kind: "empty" }
  | { readonly kind: "value"; readonly value: unknown }
  | ({ readonly kind: "same"; readonly at: number } & LineRange)
  | {
      readonly kind: "summary";
      readonly at: number;
      readonly file: number;
      readonly before: string;
      readonly after: string;
    }
  | { readonly kind: "end"; readonly count: number };

function partOf(line: readonly unknown[]): Part | undefined {
  const [kind, at, file, third, fourth] = line as [string, number, number, unknown, unknown];
  if (kind === "value" && line.length === 2) return { kind, value: at };
  if (!isCount(at)) return undefined;
  if (kind === "end") return { kind, count: at };
  if (!isCount(file)) return undefined;
  if (kind === "same" && isCount(third) && isCount(fourth)) return { kind, at, file, first: third, last: fourth };
  if (kind === "summary" && typeof third === "string" && typeof fourth === "string")
    return { kind, at, file, before: third, after: fourth };
  return undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0;
}

/** The files beside the one that is read. Undefined for one that is not there. */
export interface Origins {
  lines(file: number): Promise<StoredLines | undefined>;
  text(file: number): Promise<string | undefined>;
}

export interface DecodedLines {
  /** Null where a value cannot be read, so that numbers stay. */
  readonly values: readonly unknown[];
  /** Numbers of the values that cannot be read, from 1. One past the last where the file breaks off. */
  readonly damaged: readonly number[];
  /** Other files in which damaged values lie. */
  readonly damagedIn: ReadonlySet<number>;
}

/** A list of that size does not fit into memory; a small one that grows beyond it was made to do harm. */
const MOST_BYTES = 2 ** 30;
/** What a value takes at least. */
const LEAST_BYTES = 64;

/** A torn last line is left out; a damaged one elsewhere is null. Throws `ArchiveFailed` (`UNPACKS_TOO_LARGE`). */
export async function decodeLines(lines: StoredLines, own: number, origins: Origins): Promise<DecodedLines> {
  const values: unknown[] = [];
  const damaged: number[] = [];
  const damagedIn = new Set<number>();
  let left = MOST_BYTES;
  const push = (value: unknown, file = own, bytes = 0): void => {
    left -= bytes + LEAST_BYTES;
    if (left < 0) throw tooLarge();
    values.push(value === undefined ? null : value);
    if (value !== undefined) return;
    damaged.push(values.length);
    if (file !== own) damagedIn.add(file);
  };
  const padTo = (at: number): void => {
    while (values.length + 1 < at) push(undefined);
  };
  const put = async (part: Part, line: number): Promise<void> => {
    if (part.kind === "value") return push(part.value, own, lines.size(line));
    if (part.kind === "empty") return;
    padTo(part.kind === "end" ? part.count + 1 : part.at);
    if (part.kind === "summary") push(await withText(part, origins), part.file);
    if (part.kind === "same")
      await pushRange(part, part.file === own ? lines : await origins.lines(part.file), origins, push);
  };
  let isCut = lines.isTorn;
  for (let line = 1; line <= lines.count; line++) {
    const part = lines.part(line);
    if (part !== undefined) await put(part, line);
    else if (line === lines.count && !lines.endsWithBreak) isCut = true;
    else push(undefined);
  }
  // Even when it broke off between two lines, what followed is missing.
  if (isCut) damaged.push(values.length + 1);
  return { values, damaged, damagedIn };
}

async function pushRange(
  { file, first, last }: LineRange,
  lines: StoredLines | undefined,
  origins: Origins,
  push: (value: unknown, file: number, bytes?: number) => void,
): Promise<void> {
  for (let line = first; line <= last; line++)
    push(lines && (await valueAt(lines, line, origins)), file, lines?.size(line));
}

function tooLarge(): CompactError {
  return new CompactError("ArchiveFailed", `a list grows to more than ${MOST_BYTES} bytes by what it refers to`, {
    code: "UNPACKS_TOO_LARGE",
    hint: "No transcript of ours is that large: look where the archive comes from.",
    data: { limit: MOST_BYTES },
  });
}

/** What line `line` holds, whole; undefined where it cannot be read. A line that keeps its number may lead to another. */
export async function valueAt(lines: StoredLines, line: number, origins: Origins, hops = MOST_HOPS): Promise<unknown> {
  const part = lines.part(line);
  if (part?.kind === "value") return part.value;
  if (part?.kind === "summary") return withText(part, origins);
  if (part?.kind !== "same" || part.first !== part.last || hops === 0) return undefined;
  const others = await origins.lines(part.file);
  return others && valueAt(others, part.first, origins, hops - 1);
}

const MOST_HOPS = 16;

async function withText(
  { file, before, after }: Extract<Part, { kind: "summary" }>,
  origins: Pick<Origins, "text">,
): Promise<unknown> {
  const text = await origins.text(file);
  return text === undefined ? undefined : parseLine(before + JSON.stringify(text).slice(1, -1) + after);
}

/** As it is stored, and hashed. */
export function hashOfValue(value: unknown): string {
  return sha256OfBytes(encode(JSON.stringify(value)));
}

function parseLine(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
