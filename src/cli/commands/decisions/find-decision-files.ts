// The files that an import is about: those that were named, and of named folders everything below that may hold decisions.
import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, resolve } from "node:path";
import { errorCode } from "../../../storage/file-failure.ts";
import { badInput } from "../../input/bad-input.ts";

export interface FoundFile {
  /** As it is told to a person. */
  readonly label: string;
  /** Found in a folder: what is wrong with it stops nothing. */
  readonly isFound: boolean;
}

export interface FoundFiles {
  readonly files: readonly FoundFile[];
  /** Files of the folders that hold no decisions by their names, by how they end. */
  readonly others: Readonly<Record<string, number>>;
}

const DECISIONS = /\.(?:ya?ml|md|markdown|jsonl?|ndjson)(?:\.gz)?$/i;

/** Sorted by path within a folder; links and what begins with a dot are left alone. Throws `InvalidInput` for a folder without any. */
export async function findDecisionFiles(named: readonly string[], cwd: string): Promise<FoundFiles> {
  const files: FoundFile[] = [];
  const others: Record<string, number> = {};
  for (const path of named) {
    const found = path === "-" ? undefined : await stat(resolve(cwd, path)).catch(() => undefined);
    if (found?.isDirectory() !== true) files.push({ label: path, isFound: false });
    else files.push(...(await filesBelow(path, cwd, others)));
  }
  return { files, others };
}

async function filesBelow(folder: string, cwd: string, others: Record<string, number>): Promise<readonly FoundFile[]> {
  const files: string[] = [];
  const folders = [folder];
  for (let at = folders.pop(); at !== undefined; at = folders.pop()) {
    for (const entry of await entriesOf(at, cwd)) {
      const path = join(at, entry.name);
      if (entry.name.startsWith(".") || entry.name === "node_modules") continue;
      if (entry.isDirectory()) folders.push(path);
      else if (entry.isFile() && DECISIONS.test(entry.name)) files.push(path);
      else others[endOf(entry.name)] = (others[endOf(entry.name)] ?? 0) + 1;
    }
  }
  if (files.length === 0)
    throw badInput(
      "NO_DECISION_FILES",
      `${folder} holds no file of decisions.`,
      "YAML records, Markdown ADRs and JSON Lines are read, plain or gzip.",
    );
  return files.sort().map((label) => ({ label, isFound: true }));
}

async function entriesOf(folder: string, cwd: string): Promise<readonly Dirent[]> {
  try {
    return await readdir(resolve(cwd, folder), { withFileTypes: true });
  } catch (error) {
    throw badInput(
      "UNREADABLE",
      `${folder} cannot be read (${errorCode(error) ?? "unknown reason"}).`,
      "Check that you may read it.",
    );
  }
}

/** `.txt`; the whole name where it has no ending. */
function endOf(name: string): string {
  return /\.[^.]{1,12}$/.exec(name)?.[0].toLowerCase() ?? name.slice(0, 24);
}
