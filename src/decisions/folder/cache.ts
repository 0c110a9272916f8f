// Keeps what was parsed, so that another process need not parse thousands of files again. Only ever a short cut: an entry
// counts where the file is proved to be the same, and a cache that is broken or of another time is as if there were none.
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import { isMap } from "../reading/field-values.ts";
import type { Folder } from "./places.ts";
import type { KnownFile } from "./read-file.ts";
import type { RecordFiles } from "./record-files.ts";
import type { ParsedRecord } from "./yaml/parse-record.ts";

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
