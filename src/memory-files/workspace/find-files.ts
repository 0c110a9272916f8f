// Finds memory and notes. The memory: the files that were named, or the first known layout that is there.
import { CompactError } from "../../errors.ts";
import { fileFailure } from "../../storage/files.ts";
import { compareTexts } from "../../text/words.ts";
import { dateOfDaily, firstDate } from "../dates.ts";
import type { NotePlace, UnreadFile } from "../workspace.ts";
import {
  type Claims,
  createClaims,
  locate,
  locateFolder,
  locateListed,
  type Place,
  prefetch,
  reasonOf,
  unreadable,
} from "./places.ts";
import { isWithin, nameOf, openRoot, type Root } from "./root.ts";

interface MemoryChoice {
  /** The main one first. */
  readonly files: readonly string[];
  readonly unread: readonly UnreadFile[];
}

const FILES = ["MEMORY.md", "CLAUDE.md", "AGENTS.md"] as const;
const BANK = "memory-bank";
/** What a memory bank is about comes first in it. */
const MAIN_OF_BANK = "projectbrief.md";
const NONE: MemoryChoice = { files: [], unread: [] };

/** @throws NotFound (`MEMORY_FILE_NOT_FOUND`), InvalidInput (`OUTSIDE_WORKSPACE`) for a name that is given. */
export function findMemory(root: Root, named: string | undefined): Promise<MemoryChoice> {
  return named === undefined || named.trim() === "" ? knownLayout(root) : namedMemory(root, named);
}

/** By the names in the folder, so that each file has its own spelling where the file system folds case. */
async function knownLayout(root: Root): Promise<MemoryChoice> {
  const names = await namesIn(root);
  for (const wanted of FILES) {
    const name = names.includes(wanted) ? wanted : names.find((other) => isSpelling(other, wanted));
    if (name !== undefined) return { files: [name], unread: [] };
  }
  return names.includes(BANK) ? bankIn(root, BANK) : NONE;
}

/** Sorted, so that of two spellings the same one is taken everywhere. */
async function namesIn({ fs, real }: Root): Promise<readonly string[]> {
  try {
    return (await fs.promises.readdir(real)).sort();
  } catch (cause) {
    throw fileFailure("StoreFailed", "look into the workspace", real, cause);
  }
}

function isSpelling(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted.toLowerCase();
}

async function bankIn(root: Root, folder: string): Promise<MemoryChoice> {
  const place = await locateFolder(root, folder);
  // A file of that name is none of ours.
  if (place !== undefined && "code" in place)
    return place.code === "OUTSIDE_WORKSPACE" ? { files: [], unread: [place] } : NONE;
  const { files, unread } = await walkFiles(root, folder, (file) => /\.md$/i.test(file));
  const isMain = (file: string) => file.toLowerCase() === `${folder}/${MAIN_OF_BANK}`.toLowerCase();
  return { files: [...files.filter(isMain), ...files.filter((file) => !isMain(file))], unread };
}

async function namedMemory(root: Root, named: string): Promise<MemoryChoice> {
  const file = await nameInside(root, named);
  if (file === "") return namedFolder(root, file, named);
  const place = await locate(root, file);
  if (place === undefined) throw missing(named);
  if (!("code" in place) || place.code === "TOO_LARGE") return { files: [file], unread: [] };
  if (place.code === "OUTSIDE_WORKSPACE") throw leavesWorkspace(named);
  const folder = await locateFolder(root, file);
  if (folder === undefined || "code" in folder) throw missing(named, place.message);
  return namedFolder(root, file, named);
}

async function namedFolder(root: Root, folder: string, named: string): Promise<MemoryChoice> {
  const bank = await bankIn(root, folder);
  if (bank.files.length === 0) throw missing(named, "No Markdown file stands in it.");
  return bank;
}

/** An absolute path may come by a link to the workspace. */
async function nameInside(root: Root, named: string): Promise<string> {
  const absolute = root.path.resolve(root.real, named);
  if (isWithin(root, root.real, absolute)) return nameOf(root, absolute);
  const real = root.path.isAbsolute(named) ? await root.fs.promises.realpath(named).catch(() => absolute) : absolute;
  if (!isWithin(root, root.real, real)) throw leavesWorkspace(named);
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
const AHEAD = { width: 16 };

/** Where it stands, so that it is found again without asking where its name leads. */
export type FoundNote = NotePlace & Place;

interface FoundNotes {
  readonly notes: readonly FoundNote[];
  readonly unread: readonly UnreadFile[];
}

interface NoteName {
  readonly file: string;
  readonly date: string | undefined;
}

/** `taken` are names that are something else. @throws InvalidInput (`INVALID_GLOB`, `OUTSIDE_WORKSPACE`, `TOO_MANY_FILES`). */
export async function findNotes(
  root: Root,
  glob: string | undefined,
  taken: ReadonlySet<string>,
  claims: Claims,
): Promise<FoundNotes> {
  const { names, unread } = glob === undefined ? await dailyNames(root, taken) : await matchingNames(root, glob);
  const places: (NoteName & Place)[] = [];
  const refused: UnreadFile[] = [];
  const free = names.filter(({ file }) => !taken.has(file));
  const look = createLook(root);
  for await (const { name, place } of prefetch(free, async (name) => ({ name, place: await look(name.file) }), AHEAD)) {
    if (place === undefined) continue;
    if ("code" in place) refused.push(place);
    else places.push({ ...place, ...name });
  }
  const notes: FoundNote[] = [];
  // A link must not take its place from the file itself, whose name says which day it is of.
  for (const place of [...places.filter(({ isLink }) => !isLink), ...places.filter(({ isLink }) => isLink)]) {
    const claimed = claims.claim(place);
    if (claimed === undefined) continue;
    if ("code" in claimed) refused.push(claimed);
    else notes.push(claimed);
  }
  return { notes: notes.sort(byDate), unread: [...unread, ...refused] };
}

/** Where each folder really is gets asked once. */
function createLook(root: Root): (file: string) => Promise<Place | UnreadFile | undefined> {
  const folders = new Map<string, Promise<string | undefined>>();
  const realOf = (folder: string): Promise<string | undefined> => {
    const real = folders.get(folder) ?? root.fs.promises.realpath(root.absolute(folder)).catch(() => undefined);
    folders.set(folder, real);
    return real;
  };
  return async (file) => {
    const folder = await realOf(file.slice(0, Math.max(0, file.lastIndexOf("/"))));
    return folder === undefined ? locate(root, file) : locateListed(root, folder, file);
  };
}

interface FoundNames {
  readonly names: readonly NoteName[];
  readonly unread: readonly UnreadFile[];
}

/** Not of folders below. Those of other names are reported, not passed over in silence. */
async function dailyNames(root: Root, taken: ReadonlySet<string>): Promise<FoundNames> {
  const folder = await locateFolder(root, FOLDER);
  if (folder === undefined) return { names: [], unread: [] };
  if ("code" in folder) return { names: [], unread: [folder] };
  try {
    const written = (await root.fs.promises.readdir(folder.real)).sort();
    const names = written.flatMap((name) => {
      const date = dateOfDaily(name);
      return date === undefined ? [] : [{ file: `${FOLDER}/${name}`, date }];
    });
    const others = written.filter((name) => /\.md$/i.test(name) && dateOfDaily(name) === undefined);
    const passedOver = others.filter((name) => !taken.has(`${FOLDER}/${name}`));
    return { names, unread: passedOver.length === 0 ? [] : [withoutDay(passedOver)] };
  } catch (cause) {
    return { names: [], unread: [unreadable(FOLDER, reasonOf(cause))] };
  }
}

function withoutDay({ length }: readonly string[]): UnreadFile {
  const message = `${length} named after no day: --notes-glob "${FOLDER}/*.md" takes ${length === 1 ? "it" : "all"} in.`;
  return { file: `${FOLDER}/*.md`, code: "NO_DAY_IN_NAME", message };
}

async function matchingNames(root: Root, glob: string): Promise<FoundNames> {
  const { base, isMatch } = await readGlob(glob);
  const { files, unread } = await walkFiles(root, base, isMatch);
  const names = files.map((file) => ({ file, date: firstDate(file) }));
  return { names, unread };
}

/** Those without a date last. */
function byDate(a: NotePlace, b: NotePlace): number {
  const [first, second] = [a, b].map(({ date = "9999-99-99", file }) => `${date} ${file}`) as [string, string];
  return compareTexts(first, second);
}

// A pattern that names notes. It may come from anybody, so what would make matching slow is refused, and what would leave the
// workspace too.

interface NoteGlob {
  /** Folder below which all matches are; `""` for the root. */
  readonly base: string;
  readonly isMatch: (file: string) => boolean;
}

const LONGEST = 500;
/** What it takes to match rises with the power of their number: of a name, and of the whole. */
const MOST_STARS = 3;
const SPECIAL = /[*?[\]{}@\\]/;

/** @throws InvalidInput (`INVALID_GLOB`, `OUTSIDE_WORKSPACE`). */
async function readGlob(glob: string): Promise<NoteGlob> {
  const written = glob.replace(/^(?:\.\/){1,100}/, "");
  const steps = written.split("/");
  if (written.startsWith("/") || steps.includes("..")) throw refused(glob, "OUTSIDE_WORKSPACE", "leaves the workspace");
  const fault = faultOf(written, steps);
  if (fault !== undefined) throw refused(glob, "INVALID_GLOB", fault);
  const { default: picomatch } = await import("picomatch");
  const options = { dot: false, nonegate: true, noextglob: true, windows: false };
  const variable = steps.findIndex((step) => SPECIAL.test(step));
  return { base: steps.slice(0, variable).join("/"), isMatch: picomatch(literally(written), options) };
}

function faultOf(written: string, steps: readonly string[]): string | undefined {
  if (written.trim() === "") return "is empty";
  if (written.length > LONGEST) return `is longer than ${LONGEST} characters`;
  const isHard =
    steps.filter((step) => step.includes("**")).length > MOST_STARS ||
    steps.some((step) => step.split("*").length - 1 > MOST_STARS);
  return isHard ? "has more than three stars in a row of folders, or in one name" : undefined;
}

/** Names hold round brackets and plus signs; in a pattern they would be expressions of their own. */
function literally(written: string): string {
  return written.replace(/\\.|[()|+]/gs, (found) => (found.startsWith("\\") ? found : `\\${found}`));
}

function refused(glob: string, code: string, fault: string): CompactError {
  return new CompactError("InvalidInput", `The pattern of the notes ${fault}.`, {
    code,
    hint: 'Write it from the workspace, as "notes/*.md" or "journal/**/*.md".',
    data: { pattern: glob.slice(0, LONGEST) },
  });
}

// All files below a folder of the workspace, as far as anybody could mean them: no dot folders, no packages, no archive.

interface FoundFiles {
  /** Whatever is no folder, links to files too; sorted. */
  readonly files: readonly string[];
  /** Folders that cannot be looked into. */
  readonly unread: readonly UnreadFile[];
}

/** Names that are looked at: no memory has as many, and a whole disk would take minutes. */
const MOST_NAMES = 100_000;

/**
 * `from` is a folder, `""` the root. Links to folders inside are followed, each folder is entered once.
 * @throws InvalidInput (`TOO_MANY_FILES`).
 */
async function walkFiles(root: Root, from: string, isWanted: (file: string) => boolean): Promise<FoundFiles> {
  const files: string[] = [];
  const unread: UnreadFile[] = [];
  const entered = new Set<string>();
  const pending = [from];
  let seen = 0;
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    const place = await enter(root, folder, entered);
    if (place === undefined) continue;
    if ("code" in place) {
      if (place.code === "OUTSIDE_WORKSPACE" || folder === from) unread.push(place);
      continue;
    }
    const entries = await entriesOf(root, folder, place.real, unread);
    seen += entries.length;
    if (seen > MOST_NAMES) throw tooManyFiles(root, from);
    for (const { file, isFolder } of entries) {
      if (isFolder) pending.push(file);
      else if (isWanted(file)) files.push(file);
    }
  }
  return { files: files.sort(), unread };
}

/** Undefined for a folder that is gone, or was entered by another name. */
async function enter(root: Root, folder: string, entered: Set<string>) {
  const place = folder === "" ? { real: root.real } : await locateFolder(root, folder);
  if (place === undefined || "code" in place) return place;
  if (entered.has(place.real)) return undefined;
  entered.add(place.real);
  return place;
}

interface Entry {
  readonly file: string;
  readonly isFolder: boolean;
}

async function entriesOf(root: Root, folder: string, real: string, unread: UnreadFile[]): Promise<readonly Entry[]> {
  try {
    const entries: Entry[] = [];
    for (const entry of await root.fs.promises.readdir(real, { withFileTypes: true })) {
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      const file = folder === "" ? entry.name : `${folder}/${entry.name}`;
      entries.push({ file, isFolder: await isFolder(root, real, entry) });
    }
    return entries;
  } catch (cause) {
    unread.push(unreadable(folder, reasonOf(cause)));
    return [];
  }
}

/** Where a link leads is looked at, not yet whether it may be followed. */
async function isFolder({ fs, path }: Root, parent: string, entry: import("node:fs").Dirent): Promise<boolean> {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  return fs.promises.stat(path.join(parent, entry.name)).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

function tooManyFiles(root: Root, from: string): CompactError {
  return new CompactError("InvalidInput", `More than ${MOST_NAMES} files stand in ${root.absolute(from)}.`, {
    code: "TOO_MANY_FILES",
    hint: "Begin the pattern of the notes with the folder that they stand in.",
  });
}

// Whether a folder is a workspace at all: it holds memory files or notes of days.

/** False for what is no folder, or cannot be looked into. */
export async function isWorkspace(folder: string): Promise<boolean> {
  try {
    const root = await openRoot(folder);
    if ((await findMemory(root, undefined)).files.length > 0) return true;
    return (await findNotes(root, undefined, new Set(), createClaims())).notes.length > 0;
  } catch {
    return false;
  }
}
