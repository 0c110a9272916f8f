// Flags and configuration to a workspace and what its compaction works with.
import { basename, dirname } from "node:path";
import type { ConfigFile } from "../../config/file-schema.ts";
import { findWorkspace as find } from "../../config/workspace.ts";
import { CompactError, type CompactErrorKind, type Hints, withHints } from "../../errors.ts";
import { isWorkspace } from "../../memory-files/workspace/find-files.ts";
import type { Trace } from "../../trace/emit.ts";
import { shownPath } from "../files/output.ts";
import { badFlag, type CommonFlags, shellWord } from "../flags.ts";
import { readConfig, withTrace } from "../open-compactor.ts";
import type { Terminal } from "../terminal.ts";

export interface OpenedMemoryFiles extends FoundWorkspace {
  readonly config: ConfigFile;
  readonly trace: Trace;
}

const OTHER_FILES = "Name the folder that they stand in, or other files with --memory-file FILE and --notes-glob GLOB.";

export const PLAN_REMEDY = "Make the plan again with --plan-out FILE; only apply may be changed in it.";

/** `isHere`: the flags speak of the files of this folder. Throws `NotFound` where nothing is named and nothing is found. */
export async function withMemoryFiles<T>(
  named: string | undefined,
  flags: CommonFlags,
  terminal: Terminal,
  work: (opened: OpenedMemoryFiles) => Promise<T>,
  { isHere = false, hints = {} }: { readonly isHere?: boolean; readonly hints?: Hints } = {},
): Promise<T> {
  if (named?.trim() === "") throw badFlag("The workspace is empty.", "Name its folder, or leave it out for this one.");
  const { config } = await readConfig(flags, terminal);
  const found = await findOrHint(named ?? config.memoryFiles?.workspace, terminal, isHere, hints);
  try {
    return await withTrace(config, terminal, (trace) => work({ ...found, config, trace }));
  } catch (error) {
    throw withHints(error, {
      ...hints,
      ...(await folderHints(found.root, terminal)),
      INVALID_PLAN: PLAN_REMEDY,
      UNKNOWN_CHANGE: `What can be restored: agent-compact memory-files restore ${found.word}`,
    });
  }
}

async function findOrHint(
  named: string | undefined,
  terminal: Terminal,
  isHere: boolean,
  hints: Hints,
): Promise<FoundWorkspace> {
  try {
    return await findWorkspace(named, terminal, isHere);
  } catch (error) {
    const above = named === undefined ? await folderHints(terminal.cwd, terminal) : {};
    throw withHints(error, { ...hints, ...(above.WORKSPACE_NOT_FOUND === undefined ? {} : above) });
  }
}

/** In the folder of the notes the workspace is the one above. */
async function folderHints(folder: string, { cwd }: Terminal): Promise<Hints> {
  const above = dirname(folder);
  const isNotes = ["memory", "memory-bank"].includes(basename(folder)) && (await isWorkspace(above));
  if (!isNotes) return { NO_MEMORY_FILES: OTHER_FILES };
  const path = shownPath(above, cwd);
  const hint = `The workspace is the folder above: agent-compact memory-files ${shellWord(path === above ? ".." : path)}`;
  return { NO_MEMORY_FILES: hint, WORKSPACE_NOT_FOUND: hint };
}

// Which folder is the workspace: the one that was named, else this one where it holds memory, else the one that the
// environment names. It is never made.

/** Where a folder is due, these are a command, what the environment names, or a flag. */
const RESERVED = /^(?:restore$|auto$|-)/;

interface FoundWorkspace {
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
  const isThisFolder = named === undefined && (isHere || (await isWorkspace(cwd)));
  const root = isThisFolder ? cwd : await find(named, { cwd, environment: env });
  const path = shownPath(root, cwd);
  return {
    root,
    shown: path === "." ? "this folder" : path,
    word: shellWord(RESERVED.test(path) ? `./${path}` : path),
  };
}

export function restoreHints(named: string, ids: readonly string[]): Hints {
  if (!/^\d{1,9}(?:\.\d{1,9})?$/.test(named)) return {};
  const command = ["agent-compact memory-files restore .", named, ...ids].join(" ");
  return { WORKSPACE_NOT_FOUND: `restore takes the workspace first: ${command}` };
}

// What was refused while the rest was done is shown, and then the command fails: with the exit code of why.

interface Refused {
  readonly code: string;
}

/** Of the refusals that are no failure of the system. */
const KINDS: Readonly<Record<string, CompactErrorKind>> = {
  STALE_PLAN: "Conflict",
  IN_USE: "Conflict",
  CHANGED_SINCE: "Conflict",
  INVALID_CHANGE: "InvalidInput",
  OUTSIDE_WORKSPACE: "InvalidInput",
};
const ORDER: readonly CompactErrorKind[] = ["Conflict", "InvalidInput", "StoreFailed"];

/** Throws the gravest where anything was refused. */
export function failRefused(refused: readonly Refused[], message: string, hint: string): void {
  if (refused.length === 0) return;
  const kinds = refused.map(({ code }) => ({ code, kind: KINDS[code] ?? "StoreFailed" }));
  for (const kind of ORDER) {
    const found = kinds.find((each) => each.kind === kind);
    if (found !== undefined) throw new CompactError(kind, message, { code: found.code, hint });
  }
}
