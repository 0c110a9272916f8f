// Finds memory and notes. The memory: the files that were named, or the first known layout that is there.
import { promises as fs } from "node:fs";
import * as path from "node:path";
import { CompactError } from "../../errors.ts";
import { fileFailure } from "../../storage/files.ts";
import { compareTexts } from "../../text/words.ts";
import { dateOfDaily, firstDate } from "../dates.ts";
import type { NotePlace, Root, UnreadFile } from "../workspace.ts";
import { type Claims, claim, locate, locateFolder, type Place, prefetch, reasonOf, unreadable } from "./places.ts";
import { isWithin, nameOf, openRoot } from "./root.ts";

/** Names in an order, and what of them, or of their folders, cannot be read. */
interface FoundFiles {
  readonly files: readonly string[];
  readonly unread: readonly UnreadFile[];
}

const FILES = ["MEMORY.md", "CLAUDE.md", "AGENTS.md"] as const;
/** The second is where Anthropic's memory tool writes. */
const BANKS = ["memory-bank", "memories"] as const;
/** What a memory bank is about comes first in it. */
const MAIN_OF_BANK = "projectbrief.md";
const NONE: FoundFiles = { files: [], unread: [] };

/** The main one first. @throws NotFound (`MEMORY_FILE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`) for a name that is given. */
export function findMemory(root: Root, named: string | undefined): Promise<FoundFiles> {
  return named === undefined || named.trim() === "" ? knownLayout(root) : namedMemory(root, named);
}

/** By the names in the folder, so that each file has its own spelling where the file system folds case. */
async function knownLayout(root: Root): Promise<FoundFiles> {
  const names = await fs.readdir(root.real).catch((cause) => {
    throw fileFailure("StoreFailed", "look into the workspace", root.real, cause);
  });
  // Sorted, so that of two spellings the same one is taken everywhere.
  names.sort();
  for (const wanted of FILES) {
    const name = names.includes(wanted) ? wanted : names.find((other) => other.toLowerCase() === wanted.toLowerCase());
    if (name !== undefined) return { files: [name], unread: [] };
  }
  const bank = BANKS.find((name) => names.includes(name));
  return bank === undefined ? NONE : bankIn(root, bank);
}

async function bankIn(root: Root, folder: string): Promise<FoundFiles> {
  const place = await locateFolder(root, folder);
  // A file of that name is not ours.
  if (place !== undefined && "code" in place)
    return place.code === "OUTSIDE_WORKSPACE" ? { files: [], unread: [place] } : NONE;
  const { files, unread } = await walkFiles(root, folder, (file) => /\.md$/i.test(file));
  const isMain = (file: string) => file.toLowerCase() === `${folder}/${MAIN_OF_BANK}`.toLowerCase();
  return { files: [...files.filter(isMain), ...files.filter((file) => !isMain(file))], unread };
}

async function namedMemory(root: Root, named: string): Promise<FoundFiles> {
  const file = await nameInside(root, named);
  const place = file === "" ? unreadable(file, "It is a folder.") : await locate(root, file);
  if (place === undefined) throw missing(named);
  if (!("code" in place) || place.code === "TOO_LARGE") return { files: [file], unread: [] };
  if (place.code === "OUTSIDE_WORKSPACE") throw leavesWorkspace(named);
  const folder = await locateFolder(root, file);
  if (folder === undefined || "code" in folder) throw missing(named, place.message);
  const bank = await bankIn(root, file);
  if (bank.files.length === 0) throw missing(named, "No Markdown file stands in it.");
  return bank;
}

/** An absolute path may come by a link to the workspace. */
async function nameInside(root: Root, named: string): Promise<string> {
  const absolute = path.resolve(root.real, named);
  if (isWithin(root.real, absolute)) return nameOf(root, absolute);
  const real = path.isAbsolute(named) ? await fs.realpath(named).catch(() => absolute) : absolute;
  if (!isWithin(root.real, real)) throw leavesWorkspace(named);
  return nameOf(root, real);
}

function missing(named: string, why = "There is no such file."): CompactError {
  return new CompactError("NotFound", `The workspace has no memory file ${named}. ${why}`, {
    code: "MEMORY_FILE_NOT_FOUND",
    hint: "Name a Markdown file, or a folder of them, from the workspace.",
    data: { file: named },
  });
}

function leavesWorkspace(named: string): CompactError {
  return new CompactError("InvalidInput", `${named} is outside the workspace.`, {
    code: "OUTSIDE_WORKSPACE",
    hint: "Name a file in the workspace, or give the folder that it stands in as the workspace.",
    data: { file: named },
  });
}

// Which files are notes: those of `memory/` that are named after a day, or those that a pattern names. Their order, and the
// day of each.

const FOLDER = "memory";

/** Where it stands, so that it is found again without asking where its name leads. */
export type FoundNote = NotePlace & Place;

interface FoundNotes {
  /** Those without a date last. */
  readonly notes: readonly FoundNote[];
  readonly unread: readonly UnreadFile[];
}

/** `taken` are names that are something else. @throws InvalidInput (`INVALID_GLOB`, `OUTSIDE_WORKSPACE`, `TOO_MANY_FILES`). */
export async function findNotes(
  root: Root,
  glob: string | undefined,
  taken: ReadonlySet<string>,
  claims: Claims,
): Promise<FoundNotes> {
  const { files, unread } = glob === undefined ? await dailyNames(root, taken) : await matchingNames(root, glob);
  const refused: UnreadFile[] = [];
  const places: Place[] = [];
  const free = files.filter((file) => !taken.has(file));
  for await (const place of prefetch(free, (file) => locate(root, file), { width: 16 })) {
    if (place === undefined) continue;
    if ("code" in place) refused.push(place);
    else places.push(place);
  }
  const notes: FoundNote[] = [];
  // A link must not take its place from the file itself, whose name says which day it is of.
  for (const place of [...places.filter(({ isLink }) => !isLink), ...places.filter(({ isLink }) => isLink)]) {
    const claimed = claim(claims, place);
    if (claimed === undefined) continue;
    if ("code" in claimed) refused.push(claimed);
    else notes.push({ ...claimed, date: glob === undefined ? dateOfDaily(claimed.file) : firstDate(claimed.file) });
  }
  const keyOf = ({ date = "9999-99-99", file }: FoundNote) => `${date} ${file}`;
  return { notes: notes.sort((a, b) => compareTexts(keyOf(a), keyOf(b))), unread: [...unread, ...refused] };
}

/** Not of folders below. Those of other names are reported, not passed over in silence. */
async function dailyNames(root: Root, taken: ReadonlySet<string>): Promise<FoundFiles> {
  const folder = await locateFolder(root, FOLDER);
  if (folder === undefined) return NONE;
  if ("code" in folder) return { files: [], unread: [folder] };
  try {
    const names = (await fs.readdir(folder.real)).sort().map((name) => `${FOLDER}/${name}`);
    const isDaily = (file: string) => dateOfDaily(file) !== undefined;
    const others = names.filter((file) => /\.md$/i.test(file) && !isDaily(file) && !taken.has(file));
    return { files: names.filter(isDaily), unread: others.length === 0 ? [] : [withoutDay(others)] };
  } catch (cause) {
    return { files: [], unread: [unreadable(FOLDER, reasonOf(cause))] };
  }
}

function withoutDay({ length }: readonly string[]): UnreadFile {
  const message = `${length} named after no day: --notes-glob "${FOLDER}/*.md" takes ${length === 1 ? "it" : "all"} in.`;
  return { file: `${FOLDER}/*.md`, code: "NO_DAY_IN_NAME", message };
}

// A pattern that names notes. It may come from anybody, so what would make matching slow is refused, and what would leave the
// workspace too.

const LONGEST = 500;
/** What it takes to match rises with the power of their number: of a name, and of the whole. */
const MOST_STARS = 3;
const SPECIAL = /[*?[\]{}@\\]/;

/** @throws InvalidInput (`INVALID_GLOB`, `OUTSIDE_WORKSPACE`, `TOO_MANY_FILES`). */
async function matchingNames(root: Root, glob: string): Promise<FoundFiles> {
  const written = glob.replace(/^(?:\.\/){1,100}/, "");
  const steps = written.split("/");
  if (written.startsWith("/") || steps.includes("..")) throw refused(glob, "OUTSIDE_WORKSPACE", "leaves the workspace");
  const fault = globFault(written, steps);
  if (fault !== undefined) throw refused(glob, "INVALID_GLOB", fault);
  const { default: picomatch } = await import("picomatch");
  // Names hold round brackets and plus signs; in a pattern they would be expressions of their own.
  const literal = written.replace(/\\.|[()|+]/gs, (found) => (found.startsWith("\\") ? found : `\\${found}`));
  const isMatch = picomatch(literal, { dot: false, nonegate: true, noextglob: true, windows: false });
  const base = steps
    .slice(
      0,
      steps.findIndex((step) => SPECIAL.test(step)),
    )
    .join("/");
  return walkFiles(root, base, isMatch);
}

function globFault(written: string, steps: readonly string[]): string | undefined {
  if (written.trim() === "") return "is empty";
  if (written.length > LONGEST) return `is longer than ${LONGEST} characters`;
  const isHard =
    steps.filter((step) => step.includes("**")).length > MOST_STARS ||
    steps.some((step) => step.split("*").length - 1 > MOST_STARS);
  return isHard ? "has more than three stars in a row of folders, or in one name" : undefined;
}

function refused(glob: string, code: string, fault: string): CompactError {
  return new CompactError("InvalidInput", `The pattern of the notes ${fault}.`, {
    code,
    hint: 'Write it from the workspace, as "notes/*.md" or "journal/**/*.md".',
    data: { pattern: glob.slice(0, LONGEST) },
  });
}

// All files below a folder of the workspace, as far as anybody could mean them: no dot folders, no packages, no archive.

/** Names that are looked at: no memory has as many, and a whole disk would take minutes. */
const MOST_NAMES = 100_000;

/**
 * Whatever is no folder, links to files too; sorted. `from` is a folder, `""` the root. Links to folders inside are followed, each
 * folder is entered once.
 * @throws InvalidInput (`TOO_MANY_FILES`).
 */
async function walkFiles(root: Root, from: string, isWanted: (file: string) => boolean): Promise<FoundFiles> {
  const files: string[] = [];
  const unread: UnreadFile[] = [];
  const entered = new Set<string>();
  const pending = [from];
  let seen = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const place = await locateFolder(root, folder);
    if (place === undefined) continue;
    if ("code" in place) {
      if (place.code === "OUTSIDE_WORKSPACE" || folder === from) unread.push(place);
      continue;
    }
    if (entered.has(place.real)) continue;
    entered.add(place.real);
    const entries = await entriesOf(folder, place.real, unread);
    seen += entries.length;
    if (seen > MOST_NAMES) throw tooManyFiles(root, from);
    for (const { file, isFolder } of entries) (isFolder ? pending : files).push(file);
  }
  return { files: files.filter((file) => isWanted(file)).sort(), unread };
}

async function entriesOf(folder: string, real: string, unread: UnreadFile[]) {
  const entries: { readonly file: string; readonly isFolder: boolean }[] = [];
  try {
    for (const entry of await fs.readdir(real, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      // Where a link leads is looked at, not yet whether it may be followed.
      const stats = entry.isSymbolicLink() ? await fs.stat(path.join(real, entry.name)).catch(() => undefined) : entry;
      entries.push({ file, isFolder: stats?.isDirectory() === true });
    }
    return entries;
  } catch (cause) {
    unread.push(unreadable(folder, reasonOf(cause)));
    return [];
  }
}

function tooManyFiles(root: Root, from: string): CompactError {
  return new CompactError("InvalidInput", `More than ${MOST_NAMES} files stand in ${root.absolute(from)}.`, {
    code: "TOO_MANY_FILES",
    hint: "Begin the pattern of the notes with the folder that they stand in.",
  });
}

/** Whether a folder holds memory files or notes of days. False for what is no folder, or cannot be looked into. */
export async function isWorkspace(folder: string): Promise<boolean> {
  try {
    const root = await openRoot(folder);
    if ((await findMemory(root, undefined)).files.length > 0) return true;
    return (await findNotes(root, undefined, new Set(), new Map())).notes.length > 0;
  } catch {
    return false;
  }
}
