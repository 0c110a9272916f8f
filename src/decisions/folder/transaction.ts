// The changes of a transaction to the files of a folder: gathered until it is over, then written all or none.
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure, writeFileAtomic, writeFileExclusive } from "../../storage/files.ts";
import { sha256 } from "../../storage/sha256.ts";
import type { RawDecision } from "../decision.ts";
import { checkRecord, type RecordStore, type StoredRecord } from "../memory/writer.ts";
import { canonicalJson, changedRecordJson, isMap, recordJson } from "../record-values.ts";
import { type Folder, isOutside, refuseWayOut } from "./folder.ts";
import { decodeText, type ParsedRecord, parseRecord } from "./parse-record.ts";
import { bytesOf, readFrom } from "./record-files.ts";
import { dateInName, recordPath, recordText, spliceRecord } from "./write-record.ts";

// Changed records, gathered. Nothing is written here.

interface StagedChange extends FileChange {
  /** What the file will be read as; undefined for one that is removed. */
  readonly parsed?: ParsedRecord;
}

interface StagedRecords extends RecordStore {
  readonly changes: () => readonly StagedChange[];
}

export function stageRecords(folder: Folder): StagedRecords {
  const staged = new Map<string, StagedChange>();
  const stage = (name: string, before: string | undefined, after: string): StoredRecord => {
    const parsed = parseRecord(after);
    const read = readFrom(name, parsed);
    if (read.decision !== undefined) staged.set(name, { name, before, after, parsed });
    return { place: name, read };
  };
  /** A record that no longer has a date would get one by the name of its file: it moves. */
  const restage = (name: string, before: string | undefined, now: string, after: string): StoredRecord => {
    if (dateInName(name) === undefined || !hasDate(now) || hasDate(after)) return stage(name, before, after);
    const { decision } = readFrom(name, parseRecord(after));
    if (decision === undefined) return stage(name, before, after);
    const place = freePath(decision.id, undefined);
    if (before === undefined) staged.delete(name);
    else staged.set(name, { name, before, after: undefined });
    return { ...stage(place, undefined, after), left: name };
  };
  const freePath = (id: string, decidedAt: number | undefined) => {
    const name = recordPath(id, decidedAt);
    if (staged.has(name) || folder.fs.existsSync(folder.file(name))) throw takenFile(name);
    return name;
  };
  const now = (name: string) => {
    const { before, after } = staged.get(name) ?? { before: fileText(folder, name) ?? "" };
    return { before, after: after ?? before ?? "" };
  };
  const copied = (raw: RawDecision): RawDecision => JSON.parse(recordJson(raw));
  return {
    changes: () => [...staged.values()],
    change(name, given) {
      const changes = copied(given);
      const { before, after } = now(name);
      // Asked only whether the record may be as large.
      changedRecordJson(rawOf(after) ?? {}, changes);
      return restage(name, before, after, spliceRecord(name, after, changes));
    },
    add(raw) {
      const copy = copied(raw);
      const { id, decidedAt } = checkRecord(copy);
      return stage(freePath(id, decidedAt), undefined, recordText(copy));
    },
    replace(name, raw) {
      const copy = copied(raw);
      const { before, after } = now(name);
      const changes = changesBetween(after, copy);
      try {
        if (changes !== undefined) return restage(name, before, after, spliceRecord(name, after, changes));
      } catch (error) {
        if (!CompactError.isInstance(error) || error.code !== "UNEDITABLE_RECORD") throw error;
      }
      return restage(name, before, after, recordText(copy));
    },
  };
}

/** Undefined where keys are to go: then the whole is written anew. */
function changesBetween(text: string, wanted: RawDecision): RawDecision | undefined {
  const before = rawOf(text);
  if (before === undefined || Object.keys(before).some((key) => !Object.hasOwn(wanted, key))) return undefined;
  return Object.fromEntries(
    Object.entries(wanted).filter(
      ([key, value]) => !Object.hasOwn(before, key) || canonicalJson(before[key]) !== canonicalJson(value),
    ),
  );
}

function rawOf(text: string): RawDecision | undefined {
  const parsed = parseRecord(text);
  return "raw" in parsed && isMap(parsed.raw) ? parsed.raw : undefined;
}

/** Of its own, not by the name of its file. */
function hasDate(text: string): boolean {
  return (readFrom("", parseRecord(text)).decision?.date ?? "") !== "";
}

/** Undefined for a file that is no text. @throws the system's error. */
function fileText(folder: Folder, name: string): string | undefined {
  const decoded = decodeText(bytesOf(folder, name).bytes);
  return "text" in decoded ? decoded.text : undefined;
}

function takenFile(name?: string): CompactError {
  const file = name === undefined ? "a file of that name" : `the file ${name}`;
  return new CompactError("Conflict", `Nothing was changed: ${file} is there already.`, {
    code: "DECISION_EXISTS",
    hint: "Take another id, or look at what the file holds.",
    ...(name === undefined ? {} : { data: { file: name } }),
  });
}

// Makes the changes of a transaction to the files of a folder: all or none. A process that dies between two files leaves a
// note by which the next writer takes the half of it back.

interface FileChange {
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

const COMMIT_NOTE = "pending.json";

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
      undo.push(() => undoChanges(folder, change));
    }
    for (const { path, before, after } of aside) {
      await writeFileAtomic(path, after);
      undo.push(() => writeFileAtomic(path, before));
    }
  } catch (cause) {
    for (const step of undo.reverse()) await step().catch(() => undefined);
    throw errorCode(cause) === "EEXIST"
      ? takenFile()
      : fileFailure("StoreFailed", "write the records", folder.root, cause);
  } finally {
    if (changes.length > 1) await folder.fs.promises.rm(folder.aside(COMMIT_NOTE), { force: true });
  }
}

/** Takes back what a process that died has half done. Only files that are as it wrote them. */
export async function undoUnfinished(folder: Folder): Promise<void> {
  if (!isUnfinished(folder)) return;
  for (const { name, before, after } of await readNote(folder)) {
    if ((hashOf(folder, name) ?? null) === after) await undoChanges(folder, { name, before: before ?? undefined });
  }
  await folder.fs.promises.rm(folder.aside(COMMIT_NOTE), { force: true });
}

/** A commit of several files is under way, or ended in the middle. */
export function isUnfinished(folder: Folder): boolean {
  return folder.fs.existsSync(folder.aside(COMMIT_NOTE));
}

async function writeChange(folder: Folder, { name, before, after }: FileChange): Promise<void> {
  const path = folder.file(name);
  if (after === undefined) return folder.fs.promises.rm(path);
  if (before !== undefined) return writeFileAtomic(path, after);
  const parent = folder.path.dirname(path);
  // Who may read the folder may read its records: it is often one that several people share.
  await refuseWayOut(folder, parent);
  const { mode } = await folder.fs.promises.stat(folder.root);
  await folder.fs.promises.mkdir(parent, { recursive: true, mode: 0o700 | (mode & 0o777) });
  await writeFileExclusive(path, after, { mode: 0o600 | (mode & 0o666) });
}

async function undoChanges(folder: Folder, { name, before }: Pick<FileChange, "name" | "before">): Promise<void> {
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
    const text = fileText(folder, name);
    return text === undefined ? undefined : sha256(text);
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
  await writeFileAtomic(folder.aside(COMMIT_NOTE), JSON.stringify({ files }));
}

interface Noted {
  readonly name: string;
  readonly before: string | null;
  /** A hash; null where the file was removed. */
  readonly after: string | null;
}

async function readNote(folder: Folder): Promise<readonly Noted[]> {
  try {
    const note: unknown = JSON.parse(await folder.fs.promises.readFile(folder.aside(COMMIT_NOTE), "utf8"));
    const noted = isMap(note) && Array.isArray(note.files) ? note.files.filter(isNoted) : [];
    const outside = await Promise.all(
      noted.map(({ name }) => isOutside(folder, folder.path.dirname(folder.file(name)))),
    );
    return noted.filter((_, at) => outside[at] === false);
  } catch {
    return [];
  }
}

/** Names of records of this folder, whoever wrote the note. */
function isNoted(file: unknown): file is Noted {
  if (!isMap(file) || typeof file.name !== "string") return false;
  if ([file.before, file.after].some((part) => part !== null && typeof part !== "string")) return false;
  const steps = file.name.split(/[/\\]/);
  return steps.every((step) => step !== "" && !step.startsWith(".")) && /\.ya?ml$/i.test(file.name);
}
