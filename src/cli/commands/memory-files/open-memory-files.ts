// Flags and configuration to a workspace and what its compaction works with.
import { basename, dirname } from "node:path";
import type { ConfigFile } from "../../../config/file-schema.ts";
import { holdsMemory } from "../../../memory-files/workspace/holds-memory.ts";
import type { Trace } from "../../../trace/emit.ts";
import { badFlag, type CommonFlags } from "../../flags.ts";
import { atPrompt, type PromptHints } from "../../hint-at-prompt.ts";
import { type FoundWorkspace, findWorkspace } from "../../input/find-workspace.ts";
import { readConfig, shellWord } from "../../open-compactor.ts";
import { shownPath } from "../../output/output-place.ts";
import type { Terminal } from "../../terminal.ts";
import { withTrace } from "../../trace/open-trace.ts";

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
  { isHere = false, hints = {} }: { readonly isHere?: boolean; readonly hints?: PromptHints } = {},
): Promise<T> {
  if (named?.trim() === "") throw badFlag("The workspace is empty.", "Name its folder, or leave it out for this one.");
  const { config } = await readConfig(flags, terminal);
  const found = await findOrHint(named ?? config.memoryFiles?.workspace, terminal, isHere, hints);
  try {
    return await withTrace(config, terminal, (trace) => work({ ...found, config, trace }));
  } catch (error) {
    throw atPrompt(error, {
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
  hints: PromptHints,
): Promise<FoundWorkspace> {
  try {
    return await findWorkspace(named, terminal, isHere);
  } catch (error) {
    const above = named === undefined ? await folderHints(terminal.cwd, terminal) : {};
    throw atPrompt(error, { ...hints, ...(above.WORKSPACE_NOT_FOUND === undefined ? {} : above) });
  }
}

/** In the folder of the notes the workspace is the one above. */
async function folderHints(folder: string, { cwd }: Terminal): Promise<PromptHints> {
  const above = dirname(folder);
  const isNotes = ["memory", "memory-bank"].includes(basename(folder)) && (await holdsMemory(above));
  if (!isNotes) return { NO_MEMORY_FILES: OTHER_FILES };
  const path = shownPath(above, cwd);
  const hint = `The workspace is the folder above: agent-compact memory-files ${shellWord(path === above ? ".." : path)}`;
  return { NO_MEMORY_FILES: hint, WORKSPACE_NOT_FOUND: hint };
}
