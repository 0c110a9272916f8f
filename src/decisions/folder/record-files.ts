// Keeps an index of records in step with the files of a folder: looks at all of them, reads those that changed.
import type { RecordIndex } from "../memory/record-index.ts";
import { createPauses, type Folder } from "./places.ts";
import { type KnownFile, readFile, readFrom, unreadable } from "./read-file.ts";
import { type Scan, scanFolder } from "./scan-folder.ts";
import { isSame } from "./stamps.ts";

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
      const pause = createPauses();
      const scan = await scanFolder(folder, isAllowedMissing);
      for (const name of [...known.keys()]) if (!scan.files.has(name)) forget(name);
      tellClosed(scan.closed);
      for (const [name, stamp] of scan.files) {
        look(name, stamp, cached?.get(name));
        const waited = pause();
        if (waited !== undefined) await waited;
      }
    },
    wrote(name, file) {
      if (file === undefined) known.delete(name);
      else known.set(name, file);
      parsed.add(name);
    },
  };
}
