// Flags and configuration to a workspace and what its compaction works with.
import type { ConfigFile } from "../../../config/conversation-schema.ts";
import { conversationConfigOf } from "../../../from-config/conversation.ts";
import { partTrace } from "../../../from-config/part-trace.ts";
import type { Trace } from "../../../trace/emit.ts";
import type { CommonFlags } from "../../flags.ts";
import { atPrompt } from "../../hint-at-prompt.ts";
import { type FoundWorkspace, findWorkspace } from "../../input/find-workspace.ts";
import { readConfig } from "../../open-compactor.ts";
import type { Terminal } from "../../terminal.ts";

export interface OpenedMemoryFiles extends FoundWorkspace {
  readonly config: ConfigFile;
  readonly trace: Trace;
}

export const PLAN_REMEDY = "Make the plan again with --plan-out FILE; only apply may be changed in it.";

/** `isHere`: the flags speak of the files of this folder. Throws `NotFound` where nothing is named and nothing is found. */
export async function withMemoryFiles<T>(
  named: string | undefined,
  flags: CommonFlags,
  terminal: Terminal,
  work: (opened: OpenedMemoryFiles) => Promise<T>,
  { isHere = false }: { readonly isHere?: boolean } = {},
): Promise<T> {
  const { config } = await readConfig(flags, terminal);
  const found = await findWorkspace(named ?? config.memoryFiles?.workspace, terminal, isHere);
  const trace = partTrace(conversationConfigOf(config, (line) => void terminal.stderr.write(`${line}\n`)));
  try {
    return await work({ ...found, config, trace });
  } catch (error) {
    throw atPrompt(error, {
      INVALID_PLAN: PLAN_REMEDY,
      UNKNOWN_CHANGE: `What can be restored: agent-compact memory-files restore ${found.word}`,
    });
  }
}
