// Makes the changes of a transaction to the files of a folder: all or none. A process that dies between two files leaves a
// note by which the next writer takes the half of it back.
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure } from "../../storage/file-failure.ts";
import { sha256 } from "../../storage/sha256.ts";
import { writeFileAtomic } from "../../storage/write-file-atomic.ts";
import { writeFileExclusive } from "../../storage/write-file-exclusive.ts";
import { isMap } from "../reading/field-values.ts";
import { leadsOut, refuseWayOut } from "./inside.ts";
import type { Folder } from "./places.ts";
import { bytesOf } from "./read-file.ts";
import { decodeText } from "./yaml/parse-record.ts";

export interface FileChange {
  readonly name: string;
  /** Undefined for a file that must not be there yet. */
  readonly before: string | undefined;
  /** Undefined removes it. */
  readonly after: string | undefined;
}

/** A file beside the records, with its path. */
export interface AsideChange {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

const NOTE = "pending.json";

/** @throws Conflict (`RECORD_CHANGED`, `DECISION_EXISTS`), StoreFailed; then everything is as it was. */
export async function commitChanges(
  folder: Folder,
  changes: readonly FileChange[],
  aside: readonly AsideChange[],
): Promise<void> {
  for (const change of changes) checkUnchanged(folder, change);
  const undo: (() => Promise<void>)[] = [];
  try {
    // One file is renamed at once; only several can be half done.
    if (changes.length > 1) await writeNote(folder, changes);
    for (const change of changes) {
      await writeChange(folder, change);
      undo.push(() => takeBack(folder, change));
    }
    for (const { path, before, after } of aside) {
      await writeFileAtomic(path, after);
      undo.push(() => writeFileAtomic(path, before));
    }
  } catch (cause) {
    for (const step of undo.reverse()) await step().catch(() => undefined);
    throw errorCode(cause) === "EEXIST" ? taken() : fileFailure("StoreFailed", "write the records", folder.root, cause);
  } finally {
    if (changes.length > 1) await folder.fs.promises.rm(folder.aside(NOTE), { force: true });
  }
}

/** Takes back what a process that died has half done. Only files that are as it wrote them. */
export async function takeBackHalfDone(folder: Folder): Promise<void> {
  if (!isHalfDone(folder)) return;
  for (const { name, before, after } of await readNote(folder)) {
    if ((hashOf(folder, name) ?? null) === after) await takeBack(folder, { name, before: before ?? undefined });
  }
  await folder.fs.promises.rm(folder.aside(NOTE), { force: true });
}

/** A commit of several files is under way, or ended in the middle. */
export function isHalfDone(folder: Folder): boolean {
  return folder.fs.existsSync(folder.aside(NOTE));
}

async function writeChange(folder: Folder, { name, before, after }: FileChange): Promise<void> {
  const path = folder.file(name);
  if (after === undefined) return folder.fs.promises.rm(path);
  if (before !== undefined) return writeFileAtomic(path, after);
  const parent = folder.path.dirname(path);
  // Who may read the folder may read its records: it is often one that several people share.
  refuseWayOut(folder, parent);
  const { mode } = await folder.fs.promises.stat(folder.root);
  await folder.fs.promises.mkdir(parent, { recursive: true, mode: 0o700 | (mode & 0o777) });
  await writeFileExclusive(path, after, { mode: 0o600 | (mode & 0o666) });
}

async function takeBack(folder: Folder, { name, before }: Pick<FileChange, "name" | "before">): Promise<void> {
  if (before === undefined) await folder.fs.promises.rm(folder.file(name), { force: true });
  else await writeFileAtomic(folder.file(name), before);
}

/** An editor asks nobody: what it saved meanwhile is not overwritten. */
function checkUnchanged(folder: Folder, { name, before }: FileChange): void {
  if (before === undefined) return;
  if (hashOf(folder, name) === sha256(before)) return;
  throw new CompactError("Conflict", `Nothing was changed: ${name} was changed by another program meanwhile.`, {
    code: "RECORD_CHANGED",
    hint: "Try again.",
    data: { file: name },
  });
}

function hashOf(folder: Folder, name: string): string | undefined {
  try {
    const decoded = decodeText(bytesOf(folder, name).bytes);
    return "text" in decoded ? sha256(decoded.text) : undefined;
  } catch {
    return undefined;
  }
}

async function writeNote(folder: Folder, changes: readonly FileChange[]): Promise<void> {
  const files = changes.map(({ name, before, after }) => ({
    name,
    before: before ?? null,
    after: after === undefined ? null : sha256(after),
  }));
  await writeFileAtomic(folder.aside(NOTE), JSON.stringify({ files }));
}

interface Noted {
  readonly name: string;
  readonly before: string | null;
  /** A hash; null where the file was removed. */
  readonly after: string | null;
}

async function readNote(folder: Folder): Promise<readonly Noted[]> {
  try {
    const note: unknown = JSON.parse(await folder.fs.promises.readFile(folder.aside(NOTE), "utf8"));
    return isMap(note) && Array.isArray(note.files) ? note.files.filter((file) => isNoted(folder, file)) : [];
  } catch {
    return [];
  }
}

/** Names of records of this folder, whoever wrote the note. */
function isNoted(folder: Folder, file: unknown): file is Noted {
  if (!isMap(file) || typeof file.name !== "string") return false;
  if ([file.before, file.after].some((part) => part !== null && typeof part !== "string")) return false;
  const steps = file.name.split(/[/\\]/);
  if (steps.some((step) => step === "" || step.startsWith(".")) || !/\.ya?ml$/i.test(file.name)) return false;
  return !leadsOut(folder, folder.path.dirname(folder.file(file.name)));
}

function taken(): CompactError {
  return new CompactError("Conflict", "Nothing was changed: a file of that name is there already.", {
    code: "DECISION_EXISTS",
    hint: "Take another id, or look at what the file holds.",
  });
}
