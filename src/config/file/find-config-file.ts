// Finds the configuration file of a working directory: in it, or above it as far as the repository or the home folder
// goes. A file decides where conversations are sent, so one that a stranger may have put there is not taken.
import { CompactError } from "../../errors.ts";

export const CONFIG_FILE_NAMES = ["compact.yaml", "compact.yml", "compact.json"] as const;

export interface FoundConfigFile {
  /** Absolute; undefined when there is none. */
  readonly file: string | undefined;
  /** Absolute, nearest first. */
  readonly searched: readonly string[];
}

/**
 * Goes up from `cwd` to the first folder that holds `.git`, the home folder, or the root, each included. Above `cwd`, a
 * folder that everybody may write to (`/tmp`) is passed over.
 * @throws CompactError `InvalidConfig` when a folder holds more than one.
 */
export async function findConfigFile(cwd: string, home: string | undefined): Promise<FoundConfigFile> {
  const { dirname, join, resolve } = await import("node:path");
  const searched: string[] = [];
  let folder = resolve(cwd);
  for (;;) {
    if (folder === resolve(cwd) || !(await isOpenToAll(folder))) {
      searched.push(folder);
      const file = await configFileIn(folder);
      if (file !== undefined) return { file, searched };
    }
    const parent = dirname(folder);
    const isLast = parent === folder || (home !== undefined && folder === resolve(home));
    if (isLast || (await isThere(join(folder, ".git")))) return { file: undefined, searched };
    folder = parent;
  }
}

/** Of a folder that exists. Throws when it holds two. */
export async function configFileIn(folder: string): Promise<string | undefined> {
  const { join } = await import("node:path");
  const found: string[] = [];
  for (const name of CONFIG_FILE_NAMES) if (await isFileOrLink(join(folder, name))) found.push(name);
  if (found.length < 2) return found[0] === undefined ? undefined : join(folder, found[0]);
  throw new CompactError("InvalidConfig", `${folder} holds more than one configuration: ${found.join(" and ")}.`, {
    code: "TWO_CONFIG_FILES",
    hint: "Keep one of them, or say which with --config FILE.",
  });
}

/** A link to nothing counts: whoever made it wants its configuration read, and must hear that it is not. */
async function isFileOrLink(path: string): Promise<boolean> {
  const { lstat, stat } = await import("node:fs/promises");
  const found = await stat(path).catch(() => lstat(path).catch(() => undefined));
  return found !== undefined && !found.isDirectory();
}

async function isThere(path: string): Promise<boolean> {
  const { stat } = await import("node:fs/promises");
  return (await stat(path).catch(() => undefined)) !== undefined;
}

async function isOpenToAll(folder: string): Promise<boolean> {
  const { stat } = await import("node:fs/promises");
  const found = await stat(folder).catch(() => undefined);
  return found === undefined || (found.mode & 0o002) !== 0;
}
