// One transaction on a folder of decisions: brings the index in step with the files, runs the work on it, and commits what
// was staged under the lock of writers.
import { errorCode } from "../../storage/file-failure.ts";
import type { DecisionLog } from "../decision-log.ts";
import { createJournal } from "../memory/journal.ts";
import { createKept, type KeptPart } from "../memory/kept.ts";
import { createIndexReader } from "../memory/reader.ts";
import { createRecordIndex } from "../memory/record-index.ts";
import { createIndexWriter } from "../memory/writer.ts";
import { readCache, writeCache } from "./cache.ts";
import { type AsideChange, commitChanges, isHalfDone, takeBackHalfDone } from "./commit.ts";
import { refuseWayOut } from "./inside.ts";
import { KEPT_FILES, keptText, refreshKept, type SeenFiles } from "./kept-files.ts";
import { takeLock } from "./lock.ts";
import { type Folder, openFolder } from "./places.ts";
import { createRecordFiles, type RecordFiles } from "./record-files.ts";
import { folderFailure } from "./scan-folder.ts";
import { stageRecords } from "./staged-records.ts";

const MANY = 20;

export async function openDecisionFolder(path: string, create: boolean): Promise<Pick<DecisionLog, "read" | "write">> {
  const folder = await openFolder(path);
  const journal = createJournal();
  const changed = new Set<KeptPart>();
  const index = createRecordIndex(journal);
  const kept = createKept(journal, (part) => changed.add(part));
  const seen: SeenFiles = new Map();
  const reader = createIndexReader(index, kept);
  const files = createRecordFiles(folder, index, create);
  const refresh = createRefresh(folder, files, () => refreshKept(folder, kept, seen));

  const asideChanges = (): AsideChange[] =>
    [...changed].map((part) => ({
      path: folder.aside(KEPT_FILES[part]),
      before: seen.get(part)?.text ?? "",
      after: keptText(kept, part),
    }));

  /** All is written by then: what fails here costs the next reader time, and no more. */
  const cache = async (isMuchNew: boolean) => {
    try {
      // What was just written counts once it has been looked at.
      if (isMuchNew) await refresh();
      await writeCache(folder, files);
    } catch {
      // The next write tries again.
    }
  };

  return {
    async read(work) {
      await refresh();
      return work(reader);
    },
    async write(work) {
      await makePlace(folder, create);
      const lock = await takeLock(folder);
      try {
        await takeBackHalfDone(folder);
        await refresh();
        const staged = stageRecords(folder);
        changed.clear();
        journal.begin();
        try {
          const result = await work(createIndexWriter(reader, index, kept, journal, staged));
          lock.check();
          const aside = asideChanges();
          await commitChanges(folder, staged.changes(), aside);
          journal.commit();
          for (const { name, after } of staged.changes()) {
            const parsed = staged.parsed(name);
            files.wrote(name, parsed === undefined || after === undefined ? undefined : { parsed, text: after });
          }
          for (const part of changed) seen.set(part, { text: keptText(kept, part) });
          if (staged.changes().length + aside.length > 0) await cache(staged.changes().length > MANY);
          return result;
        } catch (error) {
          journal.rollback();
          throw error;
        }
      } finally {
        await lock.release();
      }
    },
  };
}

const MOST_LOOKS = 3;
const PATIENCE_MS = 2_000;

/** Looks again where a commit of several files came between, so that no half of one is read. */
function createRefresh(folder: Folder, files: RecordFiles, refreshAside: () => void): () => Promise<void> {
  let cached: Awaited<ReturnType<typeof readCache>> | undefined;
  const asideTime = () => {
    try {
      return folder.fs.statSync(folder.aside(""), { throwIfNoEntry: false })?.mtimeMs;
    } catch {
      // The folder itself is none, which the scan says.
      return undefined;
    }
  };
  return async () => {
    cached ??= await readCache(folder);
    for (let look = 1; look <= MOST_LOOKS; look++) {
      await untilDone(folder);
      const before = asideTime();
      await files.refresh(cached);
      refreshAside();
      if (asideTime() === before) break;
    }
    // It has served: what it knew is known.
    cached = new Map();
  };
}

/** One that was left behind by a process that died is not waited for longer. */
async function untilDone(folder: Folder): Promise<void> {
  const until = performance.now() + PATIENCE_MS;
  while (isHalfDone(folder) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function makePlace(folder: Folder, create: boolean): Promise<void> {
  const { mkdir, stat, writeFile } = folder.fs.promises;
  try {
    if (create) await mkdir(folder.root, { recursive: true, mode: 0o700 });
    else await stat(folder.root);
    await mkdir(folder.aside(""), { mode: 0o700 }).catch(allowExisting);
    refuseWayOut(folder, folder.aside(""));
    await writeFile(folder.aside(".gitignore"), "*\n", { flag: "wx", mode: 0o600 }).catch(allowExisting);
  } catch (cause) {
    throw folderFailure(folder.root, cause);
  }
}

function allowExisting(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}
