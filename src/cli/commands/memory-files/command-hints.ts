// What was probably meant by a command line of `memory-files` that names no workspace: the command restore, written otherwise,
// or ids in the place of the folder.
import { nearest } from "../../../text/nearest-name.ts";
import { badFlag } from "../../flags.ts";
import type { PromptHints } from "../../hint-at-prompt.ts";
import { shellWord } from "../../open-compactor.ts";

const RESTORE = "restore";
const COMMAND = `agent-compact memory-files ${RESTORE}`;
const LONGEST_WORD = 20;

/** Throws for more than one workspace. */
export function refuseWords(words: readonly string[]): void {
  const [first = "", ...others] = words;
  if (others.length === 0) return;
  throw badFlag(
    `memory-files has too many arguments: it takes one workspace, not ${words.length}.`,
    isLikeRestore(first) ? meantRestore(others) : "See: agent-compact memory-files --help",
  );
}

/** `named`: what stands where a workspace is due. */
export function compactHints(named: string | undefined): PromptHints {
  return named !== undefined && isLikeRestore(named) ? { WORKSPACE_NOT_FOUND: meantRestore(["WORKSPACE"]) } : {};
}

export function restoreHints(named: string, ids: readonly string[]): PromptHints {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(named)) return {};
  return { WORKSPACE_NOT_FOUND: `restore takes the workspace first: ${[COMMAND, ".", named, ...ids].join(" ")}` };
}

function isLikeRestore(word: string): boolean {
  return word.length <= LONGEST_WORD && nearest(word, [RESTORE]) !== undefined;
}

function meantRestore(words: readonly string[]): string {
  return `Did you mean: ${[COMMAND, ...words.map(shellWord)].join(" ")}`;
}
