// `agent-compact hook`: what a host's hooks call with an event on stdin. Which event means what; the work is in the files
// beside. An event that is none of ours is no failure: the host may send more of them than we know.
import type { ArchiveFlags } from "../../open-compactor.ts";
import type { Terminal } from "../../terminal.ts";
import { archiveBefore } from "./archive-before.ts";
import { hookSettings } from "./hook-settings.ts";
import { readEvent } from "./read-event.ts";
import { recordAfter } from "./record-after.ts";

export interface HookFlags extends ArchiveFlags {
  /** Print the settings of this host instead. */
  readonly print?: string;
}

/** Throws `InvalidInput`, `NotFound`, `ArchiveFailed`; none of them may have the exit code 2, with which hosts stop (see run.ts). */
export async function runHook(flags: HookFlags, terminal: Terminal): Promise<void> {
  if (flags.print !== undefined) return void terminal.stdout.write(`${JSON.stringify(hookSettings(), undefined, 2)}\n`);
  const event = await readEvent(terminal);
  const answer =
    event?.name === "PreCompact"
      ? await archiveBefore(event, flags, terminal)
      : event?.name === "SessionStart" && event.source === "compact"
        ? await recordAfter(event, flags, terminal)
        : undefined;
  // After a Ctrl-C nobody reads it, and what is archived stays.
  if (answer !== undefined) terminal.stdout.write(`${JSON.stringify(answer)}\n`);
}
