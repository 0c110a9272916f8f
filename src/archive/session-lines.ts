// The lines of one session's steps: read by step, whichever file holds them, and known by their hashes, so that a line that
// a step holds already is referred to and not stored again. What a removed step leaves to others is kept here, too.
import { sha256OfMany } from "../storage/sha256.ts";
import type { ArchiveFiles, StoredFile } from "./archive.ts";
import { COMPRESSIONS, type Compression, unpack } from "./compression.ts";
import type { KnownLines, WrittenLine } from "./encode-lines.ts";
import { hashOfValue, type LineRange, type Origins, type Place, StoredLines, valueAt } from "./shared-lines.ts";
import type { KnownState } from "./state-files.ts";
import {
  decodeSummary,
  entriesOf,
  isSummary,
  keptFile,
  keptOf,
  type StoredRecord,
  stepOf,
  summaryFile,
  type TextEntry,
  type TextRange,
  transcriptFile,
} from "./step-files.ts";

/** Of the files that are kept for whoever reads many steps in a row. */
const MOST_CACHED_BYTES = 64_000_000;
/** A summary is far smaller; one that grows beyond it was made to do harm. */
const MOST_TEXT = 2 ** 28;
const MOST_HOPS = 16;
/** Stands for a line of a summary that cannot be read. */
export const LOST_LINE = "[this line is lost: see `agent-compact archive verify`]";

/** Reads the files of one session by step, each once for as long as the reader is kept. */
export class StepReader implements Origins {
  readonly #files: ArchiveFiles;
  readonly #sessionId: string;
  /** As files are most likely packed. */
  readonly #packings: readonly Compression[];
  readonly #lines = new Map<number, StoredLines>();
  readonly #records = new Map<number, StoredRecord>();
  readonly #texts = new Map<number, string>();
  /** All files of steps, where they were read in a row. */
  #loaded: ReadonlyMap<string, Uint8Array> | undefined;
  #preloading: Promise<void> | undefined;
  #recorded: Promise<readonly StoredFile[]> | undefined;
  readonly #compared = new Map<string, Promise<boolean | undefined>>();
  #bytes = 0;

  constructor(files: ArchiveFiles, sessionId: string, compression: Compression) {
    this.#files = files;
    this.#sessionId = sessionId;
    this.#packings = [compression, ...COMPRESSIONS.filter((other) => other !== compression)];
  }

  /** Of the step's transcript, or of what is left of it. */
  async lines(step: number): Promise<StoredLines | undefined> {
    const known = this.#lines.get(step);
    if (known !== undefined) return known;
    const found =
      (await this.transcript(step)) ?? (await this.#read((packing) => keptFile(transcriptFile(step, packing))));
    if (found === undefined) return undefined;
    const lines = new StoredLines(await unpack(found.location, found.bytes));
    if (this.#bytes + lines.bytes > MOST_CACHED_BYTES) {
      this.#lines.clear();
      this.#bytes = 0;
    }
    this.#bytes += lines.bytes;
    this.#lines.set(step, lines);
    return lines;
  }

  /** As it is stored; undefined when the step has none. */
  transcript(step: number): Promise<FoundFile | undefined> {
    return this.#read((packing) => transcriptFile(step, packing));
  }

  /** The step's record, or what is left of it; undefined when there is neither. Throws `ArchiveFailed` for a damaged one. */
  async record(step: number, isKeptEnough = true): Promise<StoredRecord | undefined> {
    const known = this.#records.get(step);
    if (known !== undefined) return known;
    const found =
      (await this.#read((packing) => summaryFile(step, packing))) ??
      (isKeptEnough ? await this.#read((packing) => keptFile(summaryFile(step, packing))) : undefined);
    if (found === undefined) return undefined;
    const { bytes } = await unpack(found.location, found.bytes);
    const record = decodeSummary(bytes, found.location);
    this.#records.set(step, record);
    return record;
  }

  /** The whole text of a summary; undefined where its record is gone or damaged. Lines that are lost elsewhere are named so. */
  async text(step: number): Promise<string | undefined> {
    const known = this.#texts.get(step);
    if (known !== undefined) return known;
    const record = await this.record(step).catch(() => undefined);
    if (record === undefined) return undefined;
    const text = typeof record.text === "string" ? record.text : await this.#join(record.text);
    this.#texts.set(step, text);
    return text;
  }

  /** Each line of a summary with where it is stored. */
  async textPlaces(step: number): Promise<readonly (Place & { readonly text: string })[]> {
    const record = await this.record(step).catch(() => undefined);
    const places: (Place & { readonly text: string })[] = [];
    for (const [index, entry] of (record === undefined ? [] : entriesOf(record)).entries()) {
      if (typeof entry === "string") places.push({ file: step, line: index + 1, text: entry });
      else if (entry !== null) {
        const lines = await this.#linesOf(entry);
        places.push(...lines.map((text, at) => ({ file: entry[0], line: entry[1] + at, text })));
      }
    }
    return places;
  }

  /** The steps in whose files lines of this one lie. Of files that are damaged nothing is known. */
  async sharedBy(
    step: number,
  ): Promise<{ readonly transcripts: ReadonlySet<number>; readonly summaries: ReadonlySet<number> }> {
    const lines = await this.lines(step);
    const { ranges, texts } = lines?.uses() ?? { ranges: [], texts: new Map<number, number>() };
    const record = await this.record(step).catch(() => undefined);
    const refs = entriesOf(record ?? { text: "" }).flatMap((entry) =>
      Array.isArray(entry) ? [entry[0] as number] : [],
    );
    const others = (steps: Iterable<number>) => new Set([...steps].filter((other) => other !== step));
    return { transcripts: others(ranges.map(({ file }) => file)), summaries: others([...texts.values(), ...refs]) };
  }

  /** Whether a file has the hash that was recorded when it was written; undefined where there is none to compare. */
  isAsWritten(name: string): Promise<boolean | undefined> {
    const known = this.#compared.get(name) ?? this.#compare(name);
    this.#compared.set(name, known);
    return known;
  }

  async #compare(name: string): Promise<boolean | undefined> {
    const recorded = await this.#recordedHash(name);
    const bytes = recorded === undefined ? undefined : await this.#bytesOf(name);
    return bytes === undefined ? undefined : (await sha256OfMany(bytes)) === recorded;
  }

  async #recordedHash(name: string): Promise<string | undefined> {
    if (this.#files.listRecorded === undefined) return (await this.#files.find(this.#sessionId, name))?.sha256;
    this.#recorded ??= this.#files.listRecorded(this.#sessionId);
    return (await this.#recorded).find((file) => file.name === name)?.sha256;
  }

  /** Reads the session's steps in a row, as far as they fit: for who will ask for most of them. */
  preload(): Promise<void> {
    this.#preloading ??= this.#preload();
    return this.#preloading;
  }

  async #preload(): Promise<void> {
    const all = await (this.#files.listRecorded?.(this.#sessionId) ?? this.#files.list(this.#sessionId));
    const wanted = all.filter(({ name }) => stepOf(name) !== undefined || keptOf(name) !== undefined);
    const isComplete = wanted.reduce((sum, { bytes }) => sum + bytes, 0) <= MOST_CACHED_BYTES;
    if (!isComplete || this.#files.readEach === undefined) return;
    const names = wanted.map(({ name }) => name);
    const loaded = new Map<string, Uint8Array>();
    let index = 0;
    for await (const bytes of this.#files.readEach(this.#sessionId, names)) {
      const name = names[index++] ?? "";
      if (bytes !== undefined) loaded.set(name, bytes);
    }
    this.#loaded = loaded;
  }

  async #bytesOf(name: string): Promise<Uint8Array | undefined> {
    return this.#loaded === undefined ? this.#files.read(this.#sessionId, name) : this.#loaded.get(name);
  }

  async #join(entries: readonly TextEntry[]): Promise<string> {
    const lines: string[] = [];
    let left = MOST_TEXT;
    for (const entry of entries) {
      const more = entry !== null && typeof entry !== "string" ? await this.#linesOf(entry) : [entry ?? LOST_LINE];
      left -= more.reduce((sum, line) => sum + line.length + 1, 0);
      if (left < 0) return LOST_LINE;
      for (const line of more) lines.push(line);
    }
    return lines.join("\n");
  }

  async #linesOf([step, first, last]: TextRange, hops = MOST_HOPS): Promise<readonly string[]> {
    const record = hops === 0 ? undefined : await this.record(step).catch(() => undefined);
    const entries = record === undefined ? [] : entriesOf(record).slice(first - 1, last);
    if (entries.length === 0) return [LOST_LINE];
    const lines: string[] = [];
    for (const entry of entries) {
      if (typeof entry === "string" || entry === null) lines.push(entry ?? LOST_LINE);
      // A line that kept its number leads to another.
      else lines.push((await this.#linesOf([entry[0], entry[1], entry[1]], hops - 1))[0] ?? LOST_LINE);
    }
    return lines;
  }

  async #read(nameOf: (packing: Compression) => string): Promise<FoundFile | undefined> {
    for (const packing of this.#packings) {
      const name = nameOf(packing);
      const bytes = await this.#bytesOf(name);
      if (bytes !== undefined) return { name, bytes, location: this.#files.locate(this.#sessionId, name) };
    }
    return undefined;
  }
}

interface FoundFile {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly location: string;
}

// What this process knows of a session's lines, so that each is stored once. A line counts as known only while a step that
// holds it is on record: whoever removes a step keeps for the others what they hold.

interface KnownLine extends Place {
  /** The newest step on record that holds it. */
  holder: number;
}

interface KnownStep {
  /** Of its transcript, as it is stored: tells one that was changed behind our back. */
  readonly bytes: number;
  readonly ranges: readonly LineRange[];
  /** Whose summaries' texts stand in it. */
  readonly texts: readonly number[];
}

export class SessionIndex {
  readonly #byHash = new Map<string, KnownLine>();
  readonly #byPlace = new Map<string, KnownLine>();
  readonly #steps = new Map<number, KnownStep>();
  /** What each summary on record takes from others' texts. */
  readonly #records = new Map<number, readonly LineRange[]>();

  /** Of the session's state. */
  state: KnownState | undefined;

  /** Lines that it holds: what it takes in memory. */
  get size(): number {
    return this.#byHash.size + (this.state?.places.size ?? 0);
  }

  /** Reads what is new of the session's files. */
  async follow(files: readonly StoredFile[], reader: StepReader): Promise<void> {
    const stored = transcriptsIn(files);
    const isChanged = [...this.#steps].some(([step, { bytes }]) => (stored.get(step) ?? bytes) !== bytes);
    if (isChanged) for (const known of [this.#byHash, this.#byPlace, this.#steps]) known.clear();
    for (const step of this.#steps.keys()) if (!stored.has(step)) this.#steps.delete(step);
    for (const [step, bytes] of [...stored].sort(([a], [b]) => a - b)) {
      if (!this.#steps.has(step)) await this.#read(step, bytes, reader);
    }
  }

  async #read(step: number, bytes: number, reader: StepReader): Promise<void> {
    const lines = await reader.lines(step);
    if (lines === undefined) return;
    const { ranges, texts } = lines.uses();
    for (let line = 1; line <= lines.count; line++) {
      const part = lines.part(line);
      if (part?.kind === "value") this.#add({ hash: hashOfValue(part.value), file: step, line }, step);
    }
    this.#steps.set(step, { bytes, ranges, texts: [...new Set(texts.values())] });
    for (const place of placesIn(ranges)) {
      const known = this.#byPlace.get(keyOf(place)) ?? (await this.#readOrigin(place, reader));
      if (known !== undefined && known.holder < step) known.holder = step;
    }
  }

  /** Of a removed step. */
  async #readOrigin(place: Place, reader: StepReader): Promise<KnownLine | undefined> {
    const lines = await reader.lines(place.file);
    const value = lines && (await valueAt(lines, place.line, reader));
    return value === undefined ? undefined : this.#add({ hash: hashOfValue(value), ...place }, place.file);
  }

  #add({ hash, file, line }: WrittenLine, holder: number): KnownLine {
    const known: KnownLine = { file, line, holder };
    // Of two copies the older stays known, while it is on record.
    const before = this.#byHash.get(hash);
    if (before === undefined || !this.#steps.has(before.holder)) this.#byHash.set(hash, known);
    this.#byPlace.set(keyOf(known), known);
    return known;
  }

  /** What a new step may refer to; undefined when there is nothing. `used` is told of each reference and of who holds it. */
  known(text: KnownLines["text"], used: (place: Place, holder: number) => void): KnownLines | undefined {
    if (this.#steps.size === 0 && text === undefined) return undefined;
    return {
      text,
      find: (hash) => {
        const found = this.#byHash.get(hash);
        if (found === undefined || !this.#steps.has(found.holder)) return undefined;
        used(found, found.holder);
        return found;
      },
    };
  }

  /** After a step was saved. */
  saved(
    step: number,
    bytes: number,
    wrote: readonly WrittenLine[],
    used: readonly Place[],
    texts: readonly number[],
  ): void {
    this.#steps.set(step, { bytes, ranges: used.map(({ file, line }) => ({ file, first: line, last: line })), texts });
    for (const line of wrote) this.#add(line, step);
    for (const place of used) {
      const known = this.#byPlace.get(keyOf(place));
      if (known !== undefined) known.holder = step;
    }
  }

  /** The lines of transcripts that the steps on record take from others, by file; and whose summaries stand in them. */
  uses(): { readonly lines: LinesByFile; readonly texts: ReadonlySet<number> } {
    const steps = [...this.#steps.values()];
    return {
      lines: byFile(steps.flatMap(({ ranges }) => ranges)),
      texts: new Set(steps.flatMap(({ texts }) => texts)),
    };
  }

  /** The lines of texts that the summaries on record take from others, by step; those of `whole` count as on record. */
  async textUses(files: readonly StoredFile[], whole: ReadonlySet<number>, reader: StepReader): Promise<LinesByFile> {
    const onRecord = new Set(whole);
    for (const { name } of files) {
      const step = isSummary(name) ? stepOf(name) : undefined;
      if (step !== undefined) onRecord.add(step);
    }
    for (const step of this.#records.keys()) if (!onRecord.has(step)) this.#records.delete(step);
    for (const step of onRecord) {
      if (this.#records.has(step)) continue;
      // A damaged one takes nothing that could be given back.
      const record = await reader.record(step).catch(() => undefined);
      const entries = record === undefined ? [] : entriesOf(record);
      const ranges = entries.flatMap((entry) =>
        entry === null || typeof entry === "string" ? [] : [{ file: entry[0], first: entry[1], last: entry[2] }],
      );
      this.#records.set(step, ranges);
    }
    return byFile([...this.#records.values()].flat());
  }
}

/** Their numbers. */
export type LinesByFile = ReadonlyMap<number, ReadonlySet<number>>;

function byFile(ranges: readonly LineRange[]): LinesByFile {
  const lines = new Map<number, Set<number>>();
  for (const { file, line } of placesIn(ranges)) {
    const used = lines.get(file);
    if (used === undefined) lines.set(file, new Set([line]));
    else used.add(line);
  }
  return lines;
}

function* placesIn(ranges: readonly LineRange[]): Generator<Place> {
  for (const { file, first, last } of ranges) for (let line = first; line <= last; line++) yield { file, line };
}

function keyOf({ file, line }: Place): string {
  return `${file}:${line}`;
}

/** The steps that have a transcript, with its size as it is stored. */
export function transcriptsIn(files: readonly StoredFile[]): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  for (const { name, bytes } of files) {
    const step = isSummary(name) ? undefined : stepOf(name);
    if (step !== undefined) found.set(step, bytes);
  }
  return found;
}
