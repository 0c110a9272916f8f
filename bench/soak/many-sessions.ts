// Many sessions in one process, with an archive on disk: whether the last one finds it as the first did.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CompactManager, createFsArchive } from "../../src/index.ts";
import { OPENING, sessionTurns } from "./session-turns.ts";
import { timed } from "./watch-gaps.ts";

export interface ManySessionsFigures {
  readonly sessions: number;
  readonly turns: number;
  readonly rounds: number;
  /** Median of a call of `preflight`. */
  readonly firstTenthMs: number;
  readonly lastTenthMs: number;
  /** Above what the process had before. */
  readonly megabytes: number;
  /** After all were forgotten. */
  readonly megabytesForgotten: number;
  /** More than there were before. */
  readonly openFiles: number;
}

const WINDOW = 8_000;
const TOKENS_A_TURN = 700;

/** Turn by turn, each of which all sessions take one after the other. */
export async function runSessions(sessions: number, turns: number): Promise<ManySessionsFigures> {
  const folder = await mkdtemp(join(tmpdir(), "many-sessions-"));
  let rounds = 0;
  const manager = new CompactManager({ archive: createFsArchive({ path: folder }), maxContextTokens: WINDOW });
  const script = sessionTurns(5, turns, turns * TOKENS_A_TURN);
  const lists = Array.from({ length: sessions }, () => OPENING);
  const times: number[] = [];
  const [memory, files] = [await megabytes(), await openFiles()];
  for (const { request, step, answer } of script) {
    for (const [session, before] of lists.entries()) {
      const list = [...before, ...request, ...step];
      const { result, ms } = await timed(() => manager.preflight(`session-${session}`, list));
      times.push(ms);
      if (result.length < list.length) rounds += 1;
      lists[session] = [...result, ...answer];
    }
  }
  const grown = (await megabytes()) - memory;
  for (const session of lists.keys()) await manager.forget(`session-${session}`);
  const left = (await megabytes()) - memory;
  await manager.close();
  const opened = (await openFiles()) - files;
  await rm(folder, { recursive: true });
  const tenth = Math.ceil(times.length / 10);
  return {
    ...{ sessions, turns, rounds, openFiles: opened, megabytes: grown, megabytesForgotten: left },
    firstTenthMs: median(times.slice(0, tenth)),
    lastTenthMs: median(times.slice(-tenth)),
  };
}

function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

async function megabytes(): Promise<number> {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
}

async function openFiles(): Promise<number> {
  return (await readdir("/proc/self/fd").catch(() => [])).length;
}
