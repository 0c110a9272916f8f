// Flags and configuration to a memory store. A database is made only by the commands that put something into it.
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { openObservationStore } from "../from-config/observations.ts";
import type { ObservationStore } from "../observations/observation-store.ts";
import { createTokenCounter } from "../tokens.ts";
import type { Trace } from "../trace/emit.ts";
import type { CommonFlags } from "./flags.ts";
import { atPrompt } from "./hint-at-prompt.ts";
import { readConfig, shellWord } from "./open-compactor.ts";
import { shownPath } from "./output/output-place.ts";
import type { Terminal } from "./terminal.ts";
import { withTrace } from "./trace/open-trace.ts";

export const DEFAULT_DATABASE = "~/.agent-compact/memory.db";

export interface StoreFlags extends CommonFlags {
  readonly db?: string;
}

export interface FilterFlags extends StoreFlags {
  readonly project?: string;
  readonly scope?: string;
  readonly namespace?: string;
}

export interface OpenedStore {
  readonly store: ObservationStore;
  /** Absolute. */
  readonly path: string;
  /** As a person here would type it. */
  readonly shown: string;
  /** The flag that finds it again, with a space before it; empty where it is found without. */
  readonly flag: string;
  readonly count: (text: string) => number;
  /** To where the configuration says; it ends with the work. */
  readonly trace: Trace;
}

/** Throws `NotFound` for a database that is not there, unless it may be made. */
export async function withStore<T>(
  flags: StoreFlags,
  terminal: Terminal,
  { create = false }: { readonly create?: boolean },
  work: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const { config } = await readConfig(flags, terminal);
  const path = databasePath(flags.db ?? config.observations?.db, terminal);
  const store = openObservationStore({ path, create });
  const flag = flags.db === undefined ? "" : ` --db ${shellWord(flags.db)}`;
  const counter = createTokenCounter({ encoding: "o200k_base" });
  try {
    const shown = shownPath(path, terminal.cwd);
    const count = (text: string) => counter.count(text);
    return await withTrace(config, terminal, (trace) => work({ store, path, shown, flag, count, trace }));
  } catch (error) {
    const compacted = `agent-compact observations search WORDS --compacted${flag}`;
    throw atPrompt(error, {
      OBSERVATION_NOT_FOUND: `To find its id: agent-compact observations search WORDS${flag}, or ${compacted}`,
      IDS_REFUSED: `Leave these ids out. To find others: agent-compact observations stale${flag}, or ${compacted}`,
    });
  } finally {
    await store.close();
  }
}

/** Absolute; `~` is the home folder of whoever runs this. */
export function databasePath(named: string | undefined, { cwd, env }: Terminal): string {
  const path = named ?? DEFAULT_DATABASE;
  const home = env.HOME ?? homedir();
  return path.startsWith("~/") ? join(home, path.slice(2)) : resolve(cwd, path);
}
