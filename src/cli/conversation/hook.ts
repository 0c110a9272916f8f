// `agent-compact hook`: what a host's hooks call with an event on stdin. Before the host compacts, the session is archived;
// after, its summary goes into the context. An event that is none of ours is no failure: hosts may send more than we know,
// and for each of them a host waits until nothing was done. So what is done is loaded when it has to be.
import { CompactError } from "../../errors.ts";
import type { ArchiveFlags } from "../open-compactor.ts";
import type { HookFlags } from "../program.ts";
import type { Terminal } from "../terminal.ts";
import { type HookEvent, readEvent } from "./hook-event.ts";

/** Throws `InvalidInput`, `NotFound`, `ArchiveFailed`; none of them may have the exit code 2, with which hosts stop (see run.ts). */
export async function runHook(flags: HookFlags, terminal: Terminal): Promise<void> {
  const print = (text: string) => void terminal.stdout.write(`${text}\n`);
  if (flags.print !== undefined) {
    const { hookSettings } = await import("../hosts.ts");
    return print(JSON.stringify(hookSettings(flags.print), undefined, 2));
  }
  const event = await readEvent(terminal);
  const told = event === undefined ? undefined : await answer(event, flags, { ...terminal, cwd: event.root });
  if (told !== undefined) print(told);
}

async function answer(event: HookEvent, flags: ArchiveFlags, terminal: Terminal): Promise<string | undefined> {
  if (event.name === "before") {
    const { archiveBefore } = await import("./hook-before.ts");
    return archiveBefore(event, flags, terminal).catch(silentIfNothingWasSaid);
  }
  if (event.source !== "compact") return undefined;
  const { recordAfter } = await import("./hook-after.ts");
  return recordAfter(event, flags, terminal);
}

/** A person may ask for a compaction before anything was said. */
function silentIfNothingWasSaid(error: unknown): undefined {
  const isNothing = CompactError.isInstance(error) && (error.code === "EMPTY_INPUT" || error.code === "NO_MESSAGES");
  if (!isNothing) throw error;
}
