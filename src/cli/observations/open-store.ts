// Flags and configuration to a memory store, and what flags name in it. A database is made only by the commands that put
// something into it.
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { withHints } from "../../errors.ts";
import { openObservationStore } from "../../factories/observations.ts";
import { defaultCount } from "../../factories/summarizer.ts";
import { createMemoryObservationStore } from "../../observations/memory-observation-store.ts";
import type { ObservationStore } from "../../observations/observation-store.ts";
import { memoryStats } from "../../observations/reading/memory-overview.ts";
import type { Trace } from "../../trace/emit.ts";
import { shownPath } from "../files/output.ts";
import { badFlag, type CommonFlags, DEFAULT_DATABASE, quoted, shellWord } from "../flags.ts";
import { readConfig, withTrace } from "../open-compactor.ts";
import { unknownName } from "../render.ts";
import type { Terminal } from "../terminal.ts";

export interface StoreFlags extends CommonFlags {
  readonly db?: string;
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

/** Throws `NotFound` for a database that is not there, unless it may be made, or an empty one does as well. */
export async function withStore<T>(
  flags: StoreFlags,
  terminal: Terminal,
  { create = false, orEmpty = false }: { readonly create?: boolean; readonly orEmpty?: boolean },
  work: (opened: OpenedStore) => Promise<T>,
): Promise<T> {
  const { config } = await readConfig(flags, terminal);
  const path = databasePath(flags.db ?? config.observations?.db, terminal);
  const isThere = !orEmpty || existsSync(path);
  const store = isThere ? openObservationStore({ path, create }) : createMemoryObservationStore();
  const flag = flags.db === undefined ? "" : ` --db ${shellWord(flags.db)}`;
  const count = defaultCount();
  try {
    const shown = shownPath(path, terminal.cwd);
    return await withTrace(config, terminal, (trace) => work({ store, path, shown, flag, count, trace }));
  } catch (error) {
    const compacted = `agent-compact observations search WORDS --compacted${flag}`;
    throw withHints(error, {
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

export function readIdWords(words: readonly string[]): readonly number[] {
  return words
    .flatMap((word) => word.split(","))
    .map((word) => word.trim())
    .filter((word) => word !== "")
    .map((word) => {
      const id = /^#?(\d{1,15})$/.exec(word)?.[1];
      if (id !== undefined && Number(id) > 0) return Number(id);
      throw badFlag(
        `An id must be a whole number from 1, not ${quoted(word)}.`,
        "agent-compact observations stale shows the ids.",
      );
    });
}

/** What to say of a project that no live row has; empty where none was asked for, and where no row has a project. */
export async function unknownProject(store: ObservationStore, asked: string | undefined): Promise<string> {
  if (asked === undefined) return "";
  const { projects } = await memoryStats(store);
  const isKnown = projects.length === 0 || projects.includes(asked);
  return isKnown ? "" : `${unknownName({ what: "row has the project", asked, known: projects })}\n`;
}
