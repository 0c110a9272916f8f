// Keeps an index of records in step with the files of a folder: looks at all of them, reads those that changed.
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure, writeFileAtomic } from "../../storage/files.ts";
import { createPacer } from "../../tokens/stepwise.ts";
import type { RecordIndex } from "../memory/record-index.ts";
import { type ReadDecision, readDecision } from "../read-decision.ts";
import { isMap } from "../record-values.ts";
import { type Folder, isSame, isSettled, type Stamp, stampOf } from "./folder.ts";
import { decodeText, MOST_BYTES, type ParsedRecord, parseRecord } from "./parse-record.ts";
import { dateInName } from "./write-record.ts";

export interface RecordFiles {
  /** By name. */
  readonly known: ReadonlyMap<string, KnownFile>;
  /** Names of files that were parsed; whoever keeps them in a cache takes them out. */
  readonly parsed: Set<string>;
  /** @throws NotFound, StoreFailed. */
  refresh(cached?: ReadonlyMap<string, KnownFile>): Promise<void>;
  /** A file as it was just written or removed, its record indexed already. It is looked at at the next read. */
  wrote(name: string, file: Pick<Required<KnownFile>, "parsed" | "text"> | undefined): void;
}

export function createRecordFiles(folder: Folder, index: RecordIndex, isAllowedMissing: boolean): RecordFiles {
  const known = new Map<string, KnownFile>();
  const parsed = new Set<string>();
  let closed: ReadonlyMap<string, string> = new Map();

  const forget = (name: string) => {
    known.delete(name);
    parsed.delete(name);
    index.put(name, undefined);
  };
  const learn = (name: string, before: KnownFile | undefined) => {
    const file = readFile(folder, name, before);
    if (file === undefined) return forget(name);
    if (file.parsed !== known.get(name)?.parsed) {
      index.put(name, readFrom(name, file.parsed));
      parsed.add(name);
    }
    known.set(name, file);
  };
  const look = (name: string, stamp: Parameters<typeof isSame>[1], cached: KnownFile | undefined) => {
    const before = known.get(name);
    if (isSame(before?.stamp, stamp)) return;
    if (before === undefined && cached !== undefined && isSame(cached.stamp, stamp)) {
      index.put(name, readFrom(name, cached.parsed));
      known.set(name, cached);
    } else learn(name, before);
  };
  const tellClosed = (now: Scan["closed"]) => {
    for (const name of closed.keys()) if (!now.has(name)) index.put(`${name}/`, undefined);
    for (const [name, code] of now) {
      if (closed.get(name) !== code) index.put(`${name}/`, unreadable(name, `The folder cannot be read (${code}).`));
    }
    closed = now;
  };

  return {
    known,
    parsed,
    async refresh(cached) {
      const pacer = createPacer();
      const scan = await scanFolder(folder, isAllowedMissing);
      for (const name of [...known.keys()]) if (!scan.files.has(name)) forget(name);
      tellClosed(scan.closed);
      for (const [name, stamp] of scan.files) {
        look(name, stamp, cached?.get(name));
        if (pacer.isDue()) await pacer.pause();
      }
    },
    wrote(name, file) {
      if (file === undefined) known.delete(name);
      else known.set(name, file);
      parsed.add(name);
    },
  };
}

// Reads one file of a folder as a record, and keeps what proves later that it is still the same.

interface KnownFile {
  readonly parsed: ParsedRecord;
  /** Present once it proves that the file is the same; without one it is read again. */
  readonly stamp?: Stamp;
  /** Without a stamp: then a file of the same text need not be parsed again. */
  readonly text?: string;
}

/** Undefined where it is gone. What was parsed before stays where the text is the same. */
function readFile(folder: Folder, name: string, before: KnownFile | undefined): KnownFile | undefined {
  const now = Date.now();
  try {
    const { bytes, stamp } = bytesOf(folder, name);
    const proof = isSettled(stamp, now) ? { stamp } : {};
    const decoded = decodeText(bytes);
    if ("problem" in decoded) return { parsed: decoded, ...proof };
    const { text } = decoded;
    const parsed = before !== undefined && before.text === text ? before.parsed : parseRecord(text);
    return { parsed, ...proof, ...("stamp" in proof ? {} : { text }) };
  } catch (cause) {
    const code = errorCode(cause) ?? "unknown";
    return code === "ENOENT" ? undefined : { parsed: { problem: `The file cannot be read (${code}).` } };
  }
}

/** Exactly what stands in a file now. @throws the system's error. */
export function bytesOf(folder: Folder, name: string): { readonly bytes: Uint8Array; readonly stamp: Stamp } {
  const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_RDONLY } = folder.fs.constants;
  // Since it was looked at, a link or a pipe may have taken its place.
  const handle = folder.fs.openSync(folder.file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    const stats = folder.fs.fstatSync(handle);
    if (!stats.isFile()) throw Object.assign(new Error("not a file"), { code: "EISDIR" });
    const isTooLarge = stats.size > MOST_BYTES;
    return {
      bytes: isTooLarge ? new Uint8Array(MOST_BYTES + 1) : folder.fs.readFileSync(handle),
      stamp: stampOf(stats),
    };
  } finally {
    folder.fs.closeSync(handle);
  }
}

/** A file as a record; its name stands for an id that is missing, and for a date. */
export function readFrom(name: string, parsed: ParsedRecord): ReadDecision {
  if ("problem" in parsed) return unreadable(name, parsed.problem);
  const date = dateInName(name);
  try {
    return readDecision(parsed.raw, { name, ...(date === undefined ? {} : { date }) });
  } catch {
    return unreadable(name, "The record is nested too deeply to be read.");
  }
}

function unreadable(name: string, message: string): ReadDecision {
  return { faults: [{ id: name, code: "UNREADABLE_RECORD", message }] };
}

// Which files of a folder are records: every .yaml and .yml below it. Names that begin with a dot and links are passed over,
// so nothing outside is ever read.

const ABSENT_IS_FINE = { throwIfNoEntry: false } as const;

interface Scan {
  readonly files: ReadonlyMap<string, Stamp>;
  /** Folders that cannot be looked into, with the system's code. */
  readonly closed: ReadonlyMap<string, string>;
}

/**
 * Asking for each file took 25 ms for 5,000 of them, and is the only way to see an edit in place: folders do not tell.
 * @throws NotFound (`NO_FOLDER`), unless what is missing is `allowed` to be.
 */
async function scanFolder(folder: Folder, isAllowedMissing: boolean): Promise<Scan> {
  const pacer = createPacer();
  const files = new Map<string, Stamp>();
  const closed = new Map<string, string>();
  const pending = [""];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    // Joined once a folder: joining each name would take a third of the time.
    const place = (name === "" ? folder.root : folder.file(name)) + folder.path.sep;
    for (const inside of namesIn(folder, name, isAllowedMissing, closed)) {
      const path = name === "" ? inside : `${name}/${inside}`;
      const stats = folder.fs.lstatSync(place + inside, ABSENT_IS_FINE);
      if (stats?.isDirectory()) pending.push(path);
      else if (stats?.isFile() && /\.ya?ml$/i.test(inside)) files.set(path, stampOf(stats));
      if (pacer.isDue()) await pacer.pause();
    }
  }
  return { files, closed };
}

function namesIn(
  folder: Folder,
  name: string,
  isAllowedMissing: boolean,
  closed: Map<string, string>,
): readonly string[] {
  try {
    return folder.fs.readdirSync(name === "" ? folder.root : folder.file(name)).filter((inside) => inside[0] !== ".");
  } catch (cause) {
    const code = errorCode(cause) ?? "unknown";
    if (name === "") {
      if (code === "ENOENT" && isAllowedMissing) return [];
      throw folderFailure(folder.root, cause);
    }
    // Removed since it was seen.
    if (code !== "ENOENT") closed.set(name, code);
    return [];
  }
}

/** What it means that the folder itself cannot be opened. */
export function folderFailure(path: string, cause: unknown): CompactError {
  const code = errorCode(cause);
  if (code === "ENOENT") {
    return new CompactError("NotFound", `no folder at ${path}`, {
      code: "NO_FOLDER",
      hint: "Check the path; a new log is made by recording or importing into it.",
      data: { path },
    });
  }
  if (code === "ENOTDIR" || code === "EEXIST") {
    return new CompactError("InvalidInput", `${path} is a file, no folder`, {
      code: "NOT_A_FOLDER",
      hint: "Give the folder that the decisions stand in; a database is opened as such.",
      data: { path },
    });
  }
  return fileFailure("StoreFailed", "open the folder", path, cause);
}

// Keeps what was parsed, so that another process need not parse thousands of files again. Only ever a short cut: an entry
// counts where the file is proved to be the same, and a cache that is broken or of another time is as if there were none.

const NAME = "index.json";
/** Another number for another reading of files. */
const VERSION = 2;
/** So many files are parsed again rather than the whole written again, or so large a part of all. */
const FEW = 20;
const SMALL_PART = 0.05;

type Entry = readonly [modified: number, changed: number, size: number, inode: number, parsed: ParsedRecord];

export async function readCache(folder: Folder): Promise<ReadonlyMap<string, KnownFile>> {
  const files = new Map<string, KnownFile>();
  try {
    const cache: unknown = JSON.parse(await folder.fs.promises.readFile(folder.aside(NAME), "utf8"));
    if (!isMap(cache) || cache.version !== VERSION || !isMap(cache.files)) return files;
    for (const [name, entry] of Object.entries(cache.files)) {
      if (!isEntry(entry)) continue;
      const [modified, changed, size, inode, parsed] = entry;
      files.set(name, { parsed, stamp: { modified, changed, size, inode } });
    }
  } catch {
    return new Map();
  }
  return files;
}

/** Does nothing while the cache is good enough, or cannot be written: then it costs time, and no more. */
export async function writeCache(folder: Folder, { known, parsed }: RecordFiles): Promise<void> {
  if (parsed.size <= Math.max(FEW, known.size * SMALL_PART)) return;
  const files: Record<string, Entry> = {};
  for (const [name, { stamp, parsed: record }] of known) {
    if (stamp !== undefined) files[name] = [stamp.modified, stamp.changed, stamp.size, stamp.inode, record];
  }
  try {
    await writeFileAtomic(folder.aside(NAME), JSON.stringify({ version: VERSION, files }));
    for (const name of Object.keys(files)) parsed.delete(name);
  } catch {
    // A full disk: the next one that writes tries again.
  }
}

function isEntry(value: unknown): value is Entry {
  if (!Array.isArray(value) || value.length !== 5) return false;
  const parsed: unknown = value[4];
  const isParsed = isMap(parsed) && ("raw" in parsed || typeof parsed.problem === "string");
  return isParsed && value.slice(0, 4).every((part) => typeof part === "number");
}
