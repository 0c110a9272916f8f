// A session's state as a list of values, one a fact, in files that are made once: each holds what is new and refers to the
// lines that it shares with those before, so that what is written grows with what happened and not with what is known.
// When the new lines outweigh the list, it is written whole and the older files leave. The highest number holds the state;
// `state.json` beside them says which one that is, for people: cut or lost, it costs nothing. A small state, and one that
// an earlier version wrote, is `state.json` as a whole.
import { CompactError } from "../errors.ts";
import type { ArchiveFiles, StoredFile } from "./archive.ts";
import { availablePacking, packBytes, unpack } from "./compression.ts";
import { collectContent } from "./content.ts";
import { encodeLines, type WrittenLine } from "./encode-lines.ts";
import { decodeLines, hashOfValue, type Place, StoredLines } from "./shared-lines.ts";
import { damagedRecord, decodeRecord, encodeRecord, stepTaken } from "./step-files.ts";

export const STATE = "state.json";
const PART = /^state-(\d{6,15})\.jsonl(?:\.gz)?$/;
/** Up to here the state is one file. */
const MOST_PLAIN = 8_192;
/** Share of the whole list that new lines may take before it is written whole. */
const MOST_NEW = 0.5;
/** Another process may take the same number; each try takes the next. */
const TRIES = 50;

/** The number of the state's file that has this name; undefined for other files. */
export function statePartOf(name: string): number | undefined {
  const [, digits] = PART.exec(name) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** What the newest file holds, as far as this process knows. */
export interface KnownState {
  readonly number: number;
  /** By the hash of a value. */
  readonly places: ReadonlyMap<string, Place>;
  /** Of the files since the one that is whole, before they are packed. */
  readonly bytesSinceWhole: number;
}

/** See `Archive.readState`. */
export async function readState(files: ArchiveFiles, sessionId: string, isStrict = false): Promise<unknown> {
  const parts = await listParts(files, sessionId);
  const isInParts = parts.length > 0;
  const bytes = isInParts && !isStrict ? undefined : await files.read(sessionId, STATE);
  if (isInParts && isStrict && bytes === undefined) throw damagedRecord(files.locate(sessionId, STATE));
  const plain = bytes && decodeRecord(bytes, files.locate(sessionId, STATE));
  if (!isInParts) return plain;
  return joinState((await readParts(files, sessionId, parts)).values, parts.at(-1)?.location ?? "");
}

/** `known`: what the last call gave, if it is still at hand. */
export async function writeState(
  files: ArchiveFiles,
  sessionId: string,
  state: unknown,
  known?: KnownState,
): Promise<KnownState | undefined> {
  const values = splitState(state);
  for (let tries = 1; ; tries++) {
    const parts = await listParts(files, sessionId);
    const plain = encodeRecord(state as object);
    if (parts.length === 0 && plain.length <= MOST_PLAIN) {
      await files.replace(sessionId, STATE, plain, "state");
      return undefined;
    }
    const newest = parts.at(-1)?.number ?? 0;
    const base = known?.number === newest ? known : await findKnown(files, sessionId, parts);
    const { bytes, isWhole, ...next } = await encodeState(values, newest + 1, base);
    const name = await createPart(files, sessionId, newest + 1, bytes);
    if (name === undefined) {
      if (tries < TRIES) continue;
      throw stepTaken("state", files.locate(sessionId, STATE));
    }
    await files.replace(sessionId, STATE, encodeRecord(describe(state, name)), "state");
    // Whoever writes next begins with this one, so nobody refers to an older one any more.
    if (isWhole) for (const { name: older } of parts) await files.remove(sessionId, older);
    return next;
  }
}

/** Its name; undefined when another writer took the number. */
async function createPart(
  files: ArchiveFiles,
  sessionId: string,
  number: number,
  bytes: Uint8Array,
): Promise<string | undefined> {
  const packing = await availablePacking();
  const name = `state-${String(number).padStart(6, "0")}.jsonl${packing === "gzip" ? ".gz" : ""}`;
  try {
    await files.create(sessionId, name, await packBytes(packing, bytes), "state");
    return name;
  } catch (error) {
    if (CompactError.isInstance(error) && error.kind === "Conflict") return undefined;
    throw error;
  }
}

/** What a person wants to see of it, and where the rest is. */
function describe(state: unknown, name: string): object {
  const plain = Object.entries(state ?? {}).filter(([, value]) => typeof value !== "object" || value === null);
  return { ...Object.fromEntries(plain), state_in: name };
}

interface EncodedState extends KnownState {
  readonly bytes: Uint8Array;
  readonly isWhole: boolean;
}

async function encodeState(
  values: readonly unknown[],
  number: number,
  base: KnownState | undefined,
): Promise<EncodedState> {
  const places = new Map<string, Place>();
  const find = (hash: string) => {
    const place = base?.places.get(hash);
    if (place !== undefined) places.set(hash, place);
    return place;
  };
  const wrote = ({ hash, ...place }: WrittenLine) => void places.set(hash, place);
  const bytes = await collectContent(encodeLines(values, number, base && { find }, { wrote, what: "value" }));
  const bytesSinceWhole = base === undefined ? 0 : base.bytesSinceWhole + bytes.length;
  const whole = values.reduce<number>((sum, value) => sum + JSON.stringify(value).length + 1, 0);
  if (base !== undefined && bytesSinceWhole > MOST_NEW * whole) return encodeState(values, number, undefined);
  return { bytes, places, number, bytesSinceWhole, isWhole: base === undefined };
}

interface Part {
  readonly number: number;
  readonly name: string;
  readonly location: string;
}

/** Ascending. */
async function listParts(files: ArchiveFiles, sessionId: string): Promise<readonly Part[]> {
  const found = (await files.list(sessionId)).flatMap(({ name }: StoredFile) => {
    const number = statePartOf(name);
    return number === undefined ? [] : [{ number, name, location: files.locate(sessionId, name) }];
  });
  return found.sort((a, b) => a.number - b.number);
}

/** Undefined where nothing can be referred to: there is none, or it is damaged. */
async function findKnown(
  files: ArchiveFiles,
  sessionId: string,
  parts: readonly Part[],
): Promise<KnownState | undefined> {
  return parts.length === 0 ? undefined : (await readParts(files, sessionId, parts).catch(() => undefined))?.known;
}

/** Throws `ArchiveFailed` (`DAMAGED_RECORD`) when any value of it is lost. */
async function readParts(files: ArchiveFiles, sessionId: string, parts: readonly Part[]) {
  const read = new Map<number, StoredLines>();
  const lines = async (number: number): Promise<StoredLines | undefined> => {
    const part = parts.find((one) => one.number === number);
    const bytes = part && !read.has(number) ? await files.read(sessionId, part.name) : undefined;
    if (part !== undefined && bytes !== undefined) read.set(number, new StoredLines(await unpack(part.name, bytes)));
    return read.get(number);
  };
  const newest = parts.at(-1) ?? { number: 0, location: "" };
  const own = await lines(newest.number);
  if (own === undefined) throw damagedRecord(newest.location);
  const { values, damaged } = await decodeLines(own, newest.number, { lines, text: async () => undefined });
  if (damaged.length > 0) throw damagedRecord(newest.location);
  const places = own.places(newest.number);
  const known = new Map(values.map((value, index) => [hashOfValue(value), places[index] as Place]));
  let bytesSinceWhole = 0;
  for (const { number } of parts.toReversed()) {
    const part = await lines(number);
    if (part === undefined || part.uses().ranges.length === 0) break;
    bytesSinceWhole += part.bytes;
  }
  return { values, known: { number: newest.number, places: known, bytesSinceWhole } };
}

// A state as a list: what a path holds, or how many of the values behind it are the items of the array there.

/** Objects are taken apart down to here; below, a value stands as it is. */
const DEPTH = 2;

interface StateEntry {
  readonly path: readonly string[];
  readonly value?: unknown;
  readonly items?: number;
}

function splitState(state: unknown, path: readonly string[] = []): readonly unknown[] {
  if (Array.isArray(state)) return [{ path, items: state.length }, ...(state as unknown[])];
  const isDeep = path.length >= DEPTH || typeof state !== "object" || state === null;
  const entries = isDeep ? [] : Object.entries(state).filter(([, value]) => value !== undefined);
  if (entries.length === 0) return [{ path, value: state }];
  return entries.flatMap(([key, value]) => splitState(value, [...path, key]));
}

function joinState(values: readonly unknown[], location: string): unknown {
  const root: Record<string, unknown> = {};
  let state: unknown = root;
  for (let index = 0; index < values.length; ) {
    const { path, items, value } = (values[index++] ?? {}) as StateEntry;
    if (!Array.isArray(path)) throw damagedRecord(location);
    const found = items === undefined ? value : values.slice(index, index + items);
    index += items ?? 0;
    if (path.length === 0) state = found;
    else put(root, path as readonly string[], found);
  }
  return state;
}

/** As an own property, whatever its name. */
function put(target: Record<string, unknown>, [key = "", ...rest]: readonly string[], value: unknown): void {
  const own = Object.hasOwn(target, key) ? target[key] : undefined;
  const next = rest.length === 0 ? value : (own ?? {});
  Object.defineProperty(target, key, { value: next, configurable: true, enumerable: true, writable: true });
  if (rest.length > 0) put(next as Record<string, unknown>, rest, value);
}
