// One transaction on a folder of decisions: brings the index in step with the files, runs the work on it, and commits what
// was staged under the lock of writers.
import { errorCode } from "../../storage/files.ts";
import { parseJson } from "../../text/parse-json.ts";
import { LEVELS, type Level } from "../decision.ts";
import type { CycleRun, DecisionLog, DecisionText } from "../decision-log.ts";
import { createIndexReader } from "../memory/reader.ts";
import {
  type CycleContent,
  type CycleData,
  type CycleSection,
  createCycleData,
  createRecordIndex,
  createUndoList,
} from "../memory/record-index.ts";
import { createIndexWriter } from "../memory/writer.ts";
import { isMap } from "../record-values.ts";
import { type Folder, isSame, isSettled, openFolder, refuseWayOut, type Stamp, stampOf, takeLock } from "./folder.ts";
import { createRecordFiles, folderFailure, type RecordFiles, readCache, writeCache } from "./record-files.ts";
import { type AsideChange, commitChanges, isUnfinished, stageRecords, undoUnfinished } from "./transaction.ts";

const MANY = 20;

export async function openDecisionFolder(path: string, create: boolean): Promise<Pick<DecisionLog, "read" | "write">> {
  const folder = await openFolder(path);
  const undoList = createUndoList();
  const changed = new Set<CycleSection>();
  const index = createRecordIndex(undoList);
  const kept = createCycleData(undoList, (part) => changed.add(part));
  const seen: SeenFiles = new Map();
  const reader = createIndexReader(index, kept);
  const files = createRecordFiles(folder, index, create);
  const refresh = createRefresh(folder, files, () => refreshCycleData(folder, kept, seen));

  const asideChanges = (): AsideChange[] =>
    [...changed].map((part) => ({
      path: folder.aside(CYCLE_FILES[part]),
      before: seen.get(part)?.text ?? "",
      after: cycleText(kept, part),
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
        await undoUnfinished(folder);
        await refresh();
        const staged = stageRecords(folder);
        changed.clear();
        const result = await undoList.run(async () => {
          const done = await work(createIndexWriter(reader, index, kept, undoList, staged));
          lock.check();
          await commitChanges(folder, staged.changes(), asideChanges());
          return done;
        });
        for (const { name, after, parsed } of staged.changes()) {
          files.wrote(name, parsed === undefined || after === undefined ? undefined : { parsed, text: after });
        }
        for (const part of changed) seen.set(part, { text: cycleText(kept, part) });
        if (staged.changes().length + changed.size > 0) await cache(staged.changes().length > MANY);
        return result;
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
      // The path is not a folder; the scan reports it.
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
  while (isUnfinished(folder) && performance.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function makePlace(folder: Folder, create: boolean): Promise<void> {
  const { mkdir, stat, writeFile } = folder.fs.promises;
  try {
    if (create) await mkdir(folder.root, { recursive: true, mode: 0o700 });
    else await stat(folder.root);
    await mkdir(folder.aside(""), { mode: 0o700 }).catch(allowExisting);
    await refuseWayOut(folder, folder.aside(""));
    await writeFile(folder.aside(".gitignore"), "*\n", { flag: "wx", mode: 0o600 }).catch(allowExisting);
  } catch (cause) {
    throw folderFailure(folder.root, cause);
  }
}

function allowExisting(error: unknown): void {
  if (errorCode(error) !== "EEXIST") throw error;
}

// Keeps what stands beside the records in files of its own: small values, runs, levels of cycles, texts. A file that cannot
// be read is as if it were not there: all of it can be made again.

const CYCLE_FILES: Readonly<Record<CycleSection, string>> = {
  state: "state.json",
  runs: "runs.jsonl",
  levels: "levels.json",
  texts: "texts.jsonl",
};
const PARTS = Object.keys(CYCLE_FILES) as readonly CycleSection[];

/** What each file held when it was last looked at. */
type SeenFiles = Map<CycleSection, { readonly stamp?: Stamp; readonly text: string }>;

function refreshCycleData(folder: Folder, kept: CycleData, seen: SeenFiles): void {
  for (const part of PARTS) {
    const before = seen.get(part);
    const now = Date.now();
    const path = folder.aside(CYCLE_FILES[part]);
    const stats = folder.fs.statSync(path, { throwIfNoEntry: false });
    const stamp = stats === undefined ? undefined : stampOf(stats);
    if (stamp !== undefined && isSame(before?.stamp, stamp)) continue;
    const text = stamp === undefined ? "" : fileText(folder, path);
    if (text !== (before?.text ?? "")) kept.load(contentOf(part, text));
    seen.set(part, { text, ...(stamp !== undefined && isSettled(stamp, now) ? { stamp } : {}) });
  }
}

/** The text of a part's file. */
function cycleText(kept: CycleData, part: CycleSection): string {
  if (part === "runs") return lines(kept.runs);
  if (part === "texts") return lines([...kept.texts.values()].flat());
  return `${JSON.stringify(Object.fromEntries(kept[part]))}\n`;
}

function lines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function fileText({ fs }: Folder, path: string): string {
  try {
    return fs.readFileSync(path, "utf8");
  } catch {
    return "";
  }
}

function contentOf(part: CycleSection, text: string): CycleContent {
  const values: readonly unknown[] = text.split("\n").map(parsed);
  const entries = Object.entries(isMap(values[0]) ? values[0] : {});
  if (part === "state") return { state: new Map(entries) };
  if (part === "levels") {
    return { levels: new Map(entries.filter((entry): entry is [string, Level] => LEVELS.includes(entry[1] as Level))) };
  }
  if (part === "runs") return { runs: values.filter(isRun) };
  const texts = new Map<string, DecisionText[]>();
  for (const value of values.filter(isText)) texts.set(value.id, [...(texts.get(value.id) ?? []), value]);
  return { texts };
}

function isRun(value: unknown): value is CycleRun {
  return hasTexts(value, ["id", "started_at"]) && isMap(value.levels);
}

function isText(value: unknown): value is DecisionText {
  return hasTexts(value, ["id", "level", "hash", "strategy", "model", "text", "source"]);
}

function hasTexts(value: unknown, keys: readonly string[]): value is Readonly<Record<string, unknown>> {
  return isMap(value) && keys.every((key) => typeof value[key] === "string");
}

function parsed(line: string): unknown {
  try {
    return parseJson(line);
  } catch {
    return undefined;
  }
}
