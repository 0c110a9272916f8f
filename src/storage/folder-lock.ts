// One writer at a time among all processes on a folder. A lock that was left behind is taken over: at once where its holder is
// seen to be dead, else when it is old. A holder that lost it that way, by sleeping too long, is stopped before it writes. What
// the failures are called is the caller's.
import type { CompactError } from "../errors.ts";
import { errorCode } from "./files.ts";
import { isDead, ownMark, type ProcessMark } from "./process-mark.ts";

export interface FolderLock {
  /** @throws what `lost` makes, where another has taken it over. */
  check(): void;
  release(): Promise<void>;
}

export interface FolderLockRequest {
  /** That is locked; it must be there. */
  readonly folder: string;
  /** What stands while the lock is held. */
  readonly lock: string;
  /** File that names who holds it. */
  readonly owner: string;
  /** Held by a living process for longer than anyone waits. */
  readonly busy: (cause: unknown) => CompactError;
  readonly lost: () => CompactError;
  /** The folder cannot be locked at all. */
  readonly failed: (cause: unknown) => CompactError;
}

const STALE_MS = 10_000;
const UPDATE_MS = 2_000;
/** Longer than a lock that was left behind can stand. */
const PATIENCE_MS = 30_000;

export async function takeFolderLock(request: FolderLockRequest): Promise<FolderLock> {
  const until = performance.now() + PATIENCE_MS;
  const leave = await takeTurn(request);
  try {
    const lock = await lockFolder(request, until);
    return { ...lock, release: () => lock.release().finally(leave) };
  } catch (error) {
    leave();
    throw error;
  }
}

/** By lock: the last one of this process that waits for it. */
const waiting = new Map<string, Promise<void>>();

/** Those of one process stand in line: each asking the disk again and again would keep the one at work from it. */
async function takeTurn({ lock, busy }: FolderLockRequest): Promise<() => void> {
  const before = waiting.get(lock) ?? Promise.resolve();
  let leave: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const last = before.then(() => isOver);
  waiting.set(lock, last);
  // One that gives up leaves the line to those behind it, and the last one removes it.
  void last.then(() => waiting.get(lock) === last && waiting.delete(lock));
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<"over">((resolve) => {
    timer = setTimeout(() => resolve("over"), PATIENCE_MS);
  });
  const outcome = await Promise.race([before, patience]).finally(() => clearTimeout(timer));
  if (outcome !== "over") return leave;
  leave();
  throw busy(undefined);
}

async function lockFolder(request: FolderLockRequest, until: number): Promise<FolderLock> {
  const { default: lockfile } = await import("proper-lockfile");
  let isLost = false;
  for (;;) {
    try {
      const unlock = await lockfile.lock(request.folder, {
        lockfilePath: request.lock,
        stale: STALE_MS,
        update: UPDATE_MS,
        onCompromised: () => {
          isLost = true;
        },
      });
      return await claimed(request, unlock, () => isLost);
    } catch (cause) {
      if (errorCode(cause) !== "ELOCKED") throw request.failed(cause);
      if (performance.now() > until) throw request.busy(cause);
      await freeFromDead(request);
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 30));
  }
}

/** Who takes it over at the same time is told apart by the owner's file, as ever. */
async function freeFromDead({ lock, owner }: FolderLockRequest): Promise<void> {
  const fs = await import("node:fs");
  const { holder, made } = ownerIn(fs, owner);
  if (holder === undefined || !(await isDead(holder))) return;
  if (madeAt(fs, lock) === made) fs.rmSync(lock, { recursive: true, force: true });
}

/** Tells a lock from the one that stood there before it. */
function madeAt(fs: typeof import("node:fs"), lock: string): string | undefined {
  const found = fs.statSync(lock, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.birthtimeMs}`;
}

/** Its name in a file: two that take over one stale lock at once would both have it, but only one stands there. */
async function claimed(
  { lock, owner, lost }: FolderLockRequest,
  unlock: () => Promise<void>,
  isLost: () => boolean,
): Promise<FolderLock> {
  const fs = await import("node:fs");
  const name = crypto.randomUUID();
  const isOurs = () => !isLost() && ownerIn(fs, owner).name === name;
  try {
    fs.writeFileSync(owner, JSON.stringify({ name, holder: await ownMark(), made: madeAt(fs, lock) }), { mode: 0o600 });
  } catch (error) {
    await unlock().catch(() => undefined);
    throw error;
  }
  return {
    check() {
      if (!isOurs()) throw lost();
    },
    async release() {
      // One that was taken over is not ours to remove.
      if (isOurs()) await unlock().catch(() => undefined);
    },
  };
}

interface Owner {
  readonly name?: string;
  readonly holder?: ProcessMark;
  /** The lock that it holds. */
  readonly made?: string;
}

/** Empty where the file is of an earlier version, or torn. */
function ownerIn(fs: typeof import("node:fs"), owner: string): Owner {
  try {
    return (JSON.parse(fs.readFileSync(owner, "utf8")) ?? {}) as Owner;
  } catch {
    return {};
  }
}
