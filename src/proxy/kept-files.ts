// What a proxy keeps of conversations from one request to the next: small files in one folder for all that begin with the same
// message, redacted and for their owner only, for 30 days.
import { readdirSync } from "node:fs";
import { mkdir, readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Redactor } from "../redaction/redactor.ts";
import { writeFileAtomic } from "../storage/files.ts";
import { toJson } from "../text/json-values.ts";

/** `first`: the name of the first message, as in the chain of a request. */
export interface KeptFiles {
  names(first: string): ReadonlySet<string>;
  /** Undefined for what is not there or cannot be read. */
  read(first: string, name: string): Promise<unknown>;
  /** Resolves when it is on disk. Throws the system's error. */
  write(first: string, name: string, value: unknown): Promise<void>;
}

const KEPT_MS = 30 * 24 * 3_600_000;

/** Files of 30 days and more ago are removed at the start. */
export async function openKeptFiles(folder: string, redactor: Redactor, now: number): Promise<KeptFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweep(folder, now);
  return {
    names(first) {
      try {
        // Asked with every request: a handful of names is here sooner than a turn in the queue of file operations.
        return new Set(readdirSync(join(folder, first)).map((name) => name.replace(/\.json$/, "")));
      } catch {
        return new Set();
      }
    },
    async read(first, name) {
      try {
        return JSON.parse(await readFile(join(folder, first, `${name}.json`), "utf8"));
      } catch {
        return undefined;
      }
    },
    async write(first, name, value) {
      await mkdir(join(folder, first), { recursive: true, mode: 0o700 });
      await writeFileAtomic(join(folder, first, `${name}.json`), toJson(redactor.json(value)));
    },
  };
}

async function sweep(folder: string, now: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const place = join(folder, name);
    const { mtimeMs } = await stat(place).catch(() => ({ mtimeMs: now }));
    if (now - mtimeMs > KEPT_MS) await rm(place, { recursive: true, force: true });
  }
}
