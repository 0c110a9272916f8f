// `agent-compact install` and `uninstall`: what a host's configuration becomes, shown and then written, all of it or nothing.
// What was written is on record first, with the old bytes, so that a run that was killed is taken back as well.

import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, realpath, rm, rmdir, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { getuid } from "node:process";
import { isDeepStrictEqual } from "node:util";
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure, writeFileAtomic } from "../../storage/files.ts";
import { sha256 } from "../../storage/sha256.ts";
import { badInput } from "../flags.ts";
import { type Entry, filesOf, HOSTS, type Host, type HostFile, homeFolder, type Program } from "../hosts.ts";
import type { Terminal } from "../terminal.ts";
import { addEntry, isEmpty, readValue, removeEntry, standingOf } from "./merge.ts";

/** One file as we left it. */
interface RecordedFile extends HostFile {
  /** As it was before; null where there was none. */
  readonly before: string | null;
  /** SHA-256 of what was written. */
  readonly hash: string;
}

export interface InstallRecord {
  readonly host: string;
  readonly program: Program;
  readonly project?: string | undefined;
  readonly files: readonly RecordedFile[];
  /** Folders that were made, the innermost first. */
  readonly folders: readonly string[];
}

/** What becomes of one file. Undefined where there is none. */
export interface Change {
  readonly path: string;
  readonly now: string | undefined;
  readonly next: string | undefined;
  readonly added: readonly Entry[];
  /** What is not as we write it, and so stays as it is. */
  readonly left: readonly Entry[];
  readonly recorded?: RecordedFile | undefined;
}

export interface Target {
  readonly host: Host;
  readonly project: string | undefined;
  readonly program: Program;
  readonly env: Terminal["env"];
}

/** Throws `InvalidInput` for a project that is the home folder, whose files are those for all projects. */
export function targetOf(name: string, isProject: boolean, { cwd, env, program }: Terminal): Target {
  const host = HOSTS.find((each) => each.program === name) as Host;
  if (program === undefined) throw badInput("NO_PROGRAM", "This was not started as a program.", "Run `agent-compact`.");
  if (isProject && cwd === homeFolder(env))
    throw badInput(
      "NO_PROJECT",
      "This is your home folder, not a project's.",
      "Leave --project out: that is for all projects.",
    );
  return { host, env, program, project: isProject ? cwd : undefined };
}

/** What an installation would change. Throws `InvalidConfig` for a file that cannot be read. */
export async function planInstall(target: Target, record: InstallRecord | undefined): Promise<readonly Change[]> {
  const files = filesOf(target.host, target.env, target.program, target.project);
  const gone = record?.files.filter(({ path }) => !files.some((file) => file.path === path)) ?? [];
  const changes: Change[] = [];
  for (const file of files) changes.push(await planFile(file, recordedIn(record, file.path)));
  for (const file of gone) changes.push(await planRemoval(file));
  return changes;
}

/** What taking an installation back would change. Throws as `planInstall`. */
export async function planUninstall({ files }: InstallRecord): Promise<readonly Change[]> {
  const changes: Change[] = [];
  for (const file of files) changes.push(await planRemoval(file));
  return changes;
}

function recordedIn(record: InstallRecord | undefined, path: string): RecordedFile | undefined {
  return record?.files.find((file) => file.path === path);
}

async function planFile(file: HostFile, recorded: RecordedFile | undefined): Promise<Change> {
  const { path, format, entries } = file;
  const now = await readText(path);
  const value = readValue(format, now ?? "", path);
  const standing = (entry: Entry) => standingOf(value, entry);
  const isWritten = (entry: Entry) =>
    entries.some((each) => isDeepStrictEqual(each, entry)) && standing(entry) === "same";
  if (entries.every((entry) => standing(entry) !== "absent") && (recorded?.entries ?? []).every(isWritten))
    return { path, now, next: now, added: [], left: entries.filter((entry) => standing(entry) === "other"), recorded };
  const base = recorded === undefined ? { next: now, left: [] } : takeBack(recorded, now);
  let next = base.next;
  const [added, left]: [Entry[], Entry[]] = [[], []];
  for (const entry of entries) {
    const found = standingOf(readValue(format, next ?? "", path), entry);
    if (found === "other") left.push(entry);
    if (found !== "absent") continue;
    next = addEntry(format, next ?? "", entry, path);
    added.push(entry);
  }
  const written = { ...file, entries: added, before: base.next ?? null, hash: sha256(next ?? "") };
  return { path, now, next, added, left, recorded: added.length === 0 ? undefined : written };
}

export interface Piece {
  readonly path: string;
  readonly what: string;
  /** `ours`: as this or an earlier installation wrote it. `other`: something else, or us as a person wrote it. */
  readonly state: "ours" | "missing" | "other";
}

/** What stands in the host's files now. Throws as `planInstall`. */
export async function lookInto(target: Target, record: InstallRecord | undefined): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  for (const { path, format, entries } of filesOf(target.host, target.env, target.program, target.project)) {
    const value = readValue(format, (await readText(path)) ?? "", path);
    const earlier = recordedIn(record, path)?.entries ?? [];
    for (const entry of entries) {
      const written = [entry, ...earlier.filter(({ what }) => what === entry.what)];
      const isOurs = written.some((each) => standingOf(value, each) === "same");
      const state = isOurs ? "ours" : standingOf(value, entry) === "absent" ? "missing" : "other";
      pieces.push({ path, what: entry.what, state });
    }
  }
  return pieces;
}

async function planRemoval(recorded: RecordedFile): Promise<Change> {
  const now = await readText(recorded.path);
  if (now !== undefined) readValue(recorded.format, now, recorded.path);
  return { path: recorded.path, now, added: [], ...takeBack(recorded, now) };
}

/** As it was, if nobody changed it since; else without what is still as we wrote it. */
function takeBack(recorded: RecordedFile, now: string | undefined): Pick<Change, "next" | "left"> {
  const { format, entries, before, hash, path } = recorded;
  if (now === undefined) return { next: undefined, left: [] };
  if (sha256(now) === hash || now === before) return { next: before ?? undefined, left: [] };
  const old = readValue(format, before ?? "", path);
  let next = now;
  const left: Entry[] = [];
  for (const entry of [...entries].reverse()) {
    const without = removeEntry(format, next, entry, old);
    if (without === undefined) left.push(entry);
    next = without ?? next;
  }
  return { next: before === null && isEmpty(format, next) ? undefined : next, left };
}

/** Undefined where nothing stands. Throws `InvalidConfig` for what is no text of this user. */
async function readText(path: string): Promise<string | undefined> {
  const found = await stat(path).catch((error: unknown) => {
    if (errorCode(error) === "ENOENT") return undefined;
    throw fileFailure("StoreFailed", "read the configuration", path, error);
  });
  if (found === undefined) return undefined;
  if (!found.isFile()) throw refused(path, "is no file");
  if (getuid !== undefined && found.uid !== getuid()) throw refused(path, "belongs to another user");
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileFailure("StoreFailed", "read the configuration", path, error);
  });
  const text = bytes.toString("utf8");
  if (!Buffer.from(text).equals(bytes)) throw refused(path, "is not in UTF-8");
  return text;
}

function refused(path: string, why: string): CompactError {
  const hint = "Look at it, and run this again. Nothing was written, here or in other files.";
  return new CompactError("InvalidConfig", `${path} ${why}.`, { code: "HOST_CONFIG", hint, data: { path } });
}

function recordFolder(env: Terminal["env"]): string {
  return join(homeFolder(env), ".agent-compact", "installed");
}

/** One for each host and place. */
function recordPath({ host, env, project }: Target): string {
  const place = project ?? host.folder(homeFolder(env), env);
  return join(recordFolder(env), `${host.program}-${sha256(place).slice(0, 12)}.json`);
}

export async function readRecord(target: Target): Promise<InstallRecord | undefined> {
  return parseRecord(recordPath(target));
}

async function parseRecord(path: string): Promise<InstallRecord | undefined> {
  const text = await readText(path);
  return text === undefined ? undefined : (JSON.parse(text) as InstallRecord);
}

/** Of all hosts and projects. */
export async function allRecords(env: Terminal["env"]): Promise<readonly InstallRecord[]> {
  const folder = recordFolder(env);
  const names = await readdir(folder).catch(() => []);
  const records = await Promise.all(
    names.filter((name) => name.endsWith(".json")).map((name) => parseRecord(join(folder, name))),
  );
  return records.filter((record) => record !== undefined);
}

/** Throws `StoreFailed`, `Conflict`; the files are then as they were. */
export async function writeInstall(
  target: Target,
  old: InstallRecord | undefined,
  changes: readonly Change[],
): Promise<void> {
  const folders = changes.flatMap(({ path, next }) => (next === undefined ? [] : missingFolders(dirname(path))));
  const record: InstallRecord = {
    host: target.host.program,
    program: target.program,
    project: target.project,
    files: changes.flatMap(({ recorded }) => recorded ?? []),
    folders: [...new Set([...folders, ...(old?.folders ?? [])])].sort((one, other) => other.length - one.length),
  };
  const path = recordPath(target);
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeFileAtomic(path, JSON.stringify(record));
  await writeAll(changes, target.project).catch(async (error: unknown) => {
    if (old === undefined) await dropRecord(target, folders);
    else await writeFileAtomic(path, JSON.stringify(old));
    throw error;
  });
}

/** Throws as `writeInstall`. */
export async function writeUninstall(
  target: Target,
  { folders }: InstallRecord,
  changes: readonly Change[],
): Promise<void> {
  await writeAll(changes, target.project);
  await dropRecord(target, folders);
}

async function dropRecord(target: Target, folders: readonly string[]): Promise<void> {
  const path = recordPath(target);
  await rm(path);
  // What is not empty stays.
  for (const folder of [...folders, dirname(path), dirname(dirname(path))]) await rmdir(folder).catch(() => undefined);
}

/** The innermost first. */
function missingFolders(folder: string): readonly string[] {
  return existsSync(folder) ? [] : [folder, ...missingFolders(dirname(folder))];
}

/** All of them, or none. */
async function writeAll(changes: readonly Change[], project: string | undefined): Promise<void> {
  // Others work on a project's files too.
  const mode = project === undefined ? 0o600 : 0o644;
  const done: Change[] = [];
  try {
    for (const change of changes) {
      if (change.now === change.next) continue;
      await replace(change, mode);
      done.push(change);
    }
  } catch (error) {
    for (const { path, now, next } of done.reverse()) await replace({ path, now: next, next: now }, mode);
    throw error;
  }
}

async function replace({ path, now, next }: Pick<Change, "path" | "now" | "next">, mode: number): Promise<void> {
  const confirm = async () => {
    if ((await readText(path)) === now) return;
    throw new CompactError("Conflict", `${path} was changed by another program at this moment.`, {
      code: "HOST_CONFIG_CHANGED",
      hint: "The files are as they were. Run this again.",
    });
  };
  try {
    if (next !== undefined) {
      await mkdir(dirname(path), { recursive: true });
      await writeFileAtomic(path, next, { mode, confirm });
    } else {
      await confirm();
      await rm(await realpath(path));
    }
  } catch (error) {
    throw CompactError.isInstance(error) ? error : fileFailure("StoreFailed", "write the configuration", path, error);
  }
}
