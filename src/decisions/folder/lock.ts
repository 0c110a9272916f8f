// One writer at a time among all processes on a folder. A lock that was left behind is taken over; whoever lost it that way,
// by sleeping too long, is told before it writes.
import { CompactError } from "../../errors.ts";
import { errorCode, fileFailure } from "../../storage/file-failure.ts";
import type { Folder } from "./places.ts";

export interface WriterLock {
  /** @throws StoreFailed (`LOCK_LOST`) where another has taken it over. */
  check(): void;
  release(): Promise<void>;
}

const STALE_MS = 10_000;
const UPDATE_MS = 2_000;
/** Longer than a lock that was left behind can stand. */
const PATIENCE_MS = 30_000;

export async function takeLock(folder: Folder): Promise<WriterLock> {
  const { default: lockfile } = await import("proper-lockfile");
  const until = performance.now() + PATIENCE_MS;
  let isLost = false;
  for (;;) {
    try {
      const unlock = await lockfile.lock(folder.aside(""), {
        lockfilePath: folder.aside("lock"),
        stale: STALE_MS,
        update: UPDATE_MS,
        onCompromised: () => {
          isLost = true;
        },
      });
      return await claimed(folder, unlock, () => isLost);
    } catch (cause) {
      if (errorCode(cause) !== "ELOCKED") throw fileFailure("StoreFailed", "lock the folder", folder.root, cause);
      if (performance.now() > until) throw busy(folder.root, cause);
    }
    await new Promise((resolve) => setTimeout(resolve, 5 + Math.random() * 30));
  }
}

/** Its name in a file: two that take over one stale lock at once would both have it, but only one stands there. */
async function claimed(folder: Folder, unlock: () => Promise<void>, isLost: () => boolean): Promise<WriterLock> {
  const owner = crypto.randomUUID();
  const isOurs = () => !isLost() && ownerOf(folder) === owner;
  folder.fs.writeFileSync(folder.aside("writer"), owner, { mode: 0o600 });
  return {
    check() {
      if (!isOurs()) throw lost(folder.root);
    },
    async release() {
      // One that was taken over is not ours to remove.
      if (isOurs()) await unlock().catch(() => undefined);
    },
  };
}

function ownerOf({ fs, aside }: Folder): string {
  try {
    return fs.readFileSync(aside("writer"), "utf8");
  } catch {
    return "";
  }
}

function busy(path: string, cause: unknown): CompactError {
  return new CompactError("StoreFailed", `another process has been writing for too long: ${path}`, {
    code: "LOG_BUSY",
    hint: "Try again; if no other process uses the folder, remove .agent-compact/lock in it.",
    data: { path },
    cause,
  });
}

function lost(path: string): CompactError {
  return new CompactError("StoreFailed", `another process took over the lock, and nothing was written: ${path}`, {
    code: "LOCK_LOST",
    hint: "Try again: this process was held up for longer than a lock stands.",
    data: { path },
  });
}
