// Which folder is the workspace: the one that was named, else this one where it holds memory, else the one that the
// environment names. It is never made.
import { findWorkspace as find } from "../../config/variables/workspace.ts";
import { holdsMemory } from "../../memory-files/workspace/holds-memory.ts";
import { shellWord } from "../open-compactor.ts";
import { shownPath } from "../output/output-place.ts";
import type { Terminal } from "../terminal.ts";

/** Where a folder is due, these are a command, what the environment names, or a flag. */
const RESERVED = /^(?:restore$|auto$|-)/;

export interface FoundWorkspace {
  /** Absolute. */
  readonly root: string;
  /** In a sentence. */
  readonly shown: string;
  /** As a person here would type it. */
  readonly word: string;
}

/**
 * `named`: a path, or `auto`; undefined where nobody said. `isHere`: something else on the line speaks of the files of this
 * folder. Throws `NotFound` and `InvalidInput` as the look-up does.
 */
export async function findWorkspace(
  named: string | undefined,
  { cwd, env }: Terminal,
  isHere = false,
): Promise<FoundWorkspace> {
  const isThisFolder = named === undefined && (isHere || (await holdsMemory(cwd)));
  const root = isThisFolder ? cwd : await find(named, { cwd, environment: env });
  const path = shownPath(root, cwd);
  return {
    root,
    shown: path === "." ? "this folder" : path,
    word: shellWord(RESERVED.test(path) ? `./${path}` : path),
  };
}
