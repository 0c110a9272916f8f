// Which files are the memory: the ones that were named, or the first known layout that is there.
import { CompactError } from "../../../errors.ts";
import { fileFailure } from "../../../storage/file-failure.ts";
import type { UnreadFile } from "../../memory-file.ts";
import { locate, locateFolder } from "../locate.ts";
import { isWithin, nameOf, type Root } from "../open-root.ts";
import { walkFiles } from "./walk.ts";

export interface MemoryChoice {
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
