// Puts raw records into a log so that doing it twice adds nothing. In batches: other writers wait for one, not for all, and
// an import that is stopped goes on where it stopped when it is done again.
import { CompactError } from "../../errors.ts";
import { readTime } from "../../time.ts";
import { type RawDecision, REVIEW_KEYS, REVIEWED } from "../decision.ts";
import { type DecisionLog, type DecisionReader, type DecisionWriter, inBatches } from "../decision-log.ts";
import { readDecision, readSupersession } from "../read-decision.ts";
import { canonicalJson, isSilent, recordJson, text } from "../record-values.ts";
import type { SourceFault } from "./decision-source.ts";
import { isOfTracker } from "./issue-records.ts";

const BATCH = 300;

interface ImportDecisionsOptions {
  /** After each batch. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Counts what an import would do, and writes nothing. */
  readonly dryRun?: boolean | undefined;
}

/** `added + updated + unchanged` records are in the log; the others are among the faults. */
export interface ImportDecisionsReport {
  readonly added: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly faults: readonly SourceFault[];
}

type Tally = { -readonly [Key in Exclude<keyof ImportDecisionsReport, "faults">]: number } & { faults: SourceFault[] };

/**
 * Adds what the log does not have and sets the keys that a file says otherwise. What only the log says stays: other keys,
 * `preserve` of a record that is there, and a review that the file lacks or has an older one of.
 * @throws StoreFailed as the log's `write` does: batches that were written stay. Throws the reason of an abort between batches.
 */
export async function importDecisions(
  log: DecisionLog,
  records: readonly RawDecision[],
  { onProgress, signal, dryRun = false }: ImportDecisionsOptions = {},
): Promise<ImportDecisionsReport> {
  const tally: Tally = { added: 0, updated: 0, unchanged: 0, faults: [] };
  const seen = new Set<string>();
  let done = 0;
  for (const raw of inBatches(records, BATCH)) {
    signal?.throwIfAborted();
    const batch = readable(raw, done, seen, tally.faults);
    const own = dryRun
      ? await log.read((reader) => importBatch(reader, undefined, batch))
      : await log.write((writer) => importBatch(writer, writer, batch));
    for (const key of ["added", "updated", "unchanged"] as const) tally[key] += own[key];
    tally.faults.push(...own.faults);
    done += raw.length;
    onProgress?.(done, records.length);
  }
  return tally;
}

type Readable = { readonly id: string; readonly raw: RawDecision };

/** Those that are decisions, each id once. */
function readable(
  batch: readonly RawDecision[],
  start: number,
  seen: Set<string>,
  faults: SourceFault[],
): readonly Readable[] {
  return batch.flatMap((raw, at) => {
    const { decision, faults: own } = readDecision(raw, { name: `record ${start + at + 1}` });
    faults.push(...own);
    if (decision === undefined) return [];
    const { id } = decision;
    if (seen.has(id)) {
      faults.push({
        id,
        code: "DUPLICATE_ID",
        message: "Another record of the import has this id; the first is taken.",
      });
      return [];
    }
    seen.add(id);
    return [{ id, raw }];
  });
}

async function importBatch(
  reader: DecisionReader,
  writer: DecisionWriter | undefined,
  batch: readonly Readable[],
): Promise<Tally> {
  const tally: Tally = { added: 0, updated: 0, unchanged: 0, faults: [] };
  const known = new Map<string, RawDecision>();
  for (const { id, raw } of await reader.decisions(batch.map(({ id }) => id))) known.set(id, raw);
  for (const { id, raw } of batch) {
    const before = known.get(id);
    const changes = before === undefined ? undefined : mergeImported(before, raw);
    if (before !== undefined && changes === undefined) {
      tally.unchanged += 1;
      continue;
    }
    try {
      if (writer === undefined && before === undefined) recordJson(raw);
      else if (before === undefined) await writer?.add(raw);
      else
        await writer?.change(id, changes ?? {}).catch((error) => writeAnew(writer, { ...before, ...changes }, error));
    } catch (error) {
      // A record that this log cannot hold, for its size or shape, stops no other.
      if (!CompactError.isInstance(error) || error.kind !== "InvalidInput") throw error;
      tally.faults.push({ id, code: "UNREADABLE_RECORD", message: error.message });
      continue;
    }
    if (before === undefined) tally.added += 1;
    else tally.updated += 1;
  }
  return tally;
}

/** Where a file is written in such a way that its keys cannot be set one by one. */
async function writeAnew(writer: DecisionWriter, raw: RawDecision, error: unknown): Promise<unknown> {
  if (!CompactError.isInstance(error) || error.code !== "UNEDITABLE_RECORD") throw error;
  return writer.replace(raw);
}

// Whose review stands after an import, that of the log or that of the file, as a whole; and what either knows of who took
// the decision's place, which no review may drop.

/** What a review says. */
const OF_REVIEWS = ["status", ...REVIEW_KEYS] as const;

/** `file`: keys that the file says. `file only`: and none that only the log does. */
type ReviewSide = "log" | "file" | "file only";

/** Values of these keys as they are to be; keys that it does not name stay. */
function mergeReview(known: RawDecision, imported: RawDecision): RawDecision {
  const standing = reviewSide(known, imported);
  const merged: Record<string, unknown> = {};
  for (const key of OF_REVIEWS) {
    if (isSilent(imported[key])) {
      if (standing === "file only" && key !== "status" && !isSilent(known[key])) merged[key] = null;
    } else if (standing !== "log") merged[key] = imported[key];
  }
  // A review in the log protects no other status than its own.
  const status = text(known.status) === REVIEWED ? {} : { status: imported.status ?? known.status };
  const settled = { ...status, ...merged };
  return { ...settled, ...mergedSupersession(known, imported, text(settled.status ?? known.status)) };
}

function reviewSide(known: RawDecision, imported: RawDecision): ReviewSide {
  if (!hasReview(known)) return "file";
  // The tracker has opened the issue again, or closed it otherwise: what it said before is over.
  if (isOfTracker(known) && known.issue_status !== imported.issue_status && !isSilent(imported.issue_status)) {
    return "file only";
  }
  if (!hasReview(imported)) return "log";
  const [before, now] = [readTime(known.reviewed_at), readTime(imported.reviewed_at)];
  if (before === undefined) return "file";
  if (now === undefined || now < before) return "log";
  if (now === before) return "file";
  // Somebody said what came of it; that it was closed later says less.
  return isSilent(imported.outcome) && !isSilent(known.outcome) ? "log" : "file only";
}

function hasReview({ status, outcome, reviewed_at }: RawDecision): boolean {
  return text(status) === REVIEWED || !isSilent(outcome) || !isSilent(reviewed_at);
}

/**
 * A status that says who took the decision's place may be the only one to say so, in the log or in the file. Where a review
 * takes its place the link comes to stand where it stays; without a link to keep the status stays.
 */
function mergedSupersession(known: RawDecision, imported: RawDecision, status: string | undefined): RawDecision {
  if (successorIn(imported, "superseded_by") !== undefined) return { superseded_by: imported.superseded_by };
  if (status !== REVIEWED) return {};
  const ofFile = successorIn(imported);
  if (ofFile !== undefined && ofFile !== "") return { superseded_by: ofFile };
  if (!isSilent(known.superseded_by)) return {};
  const ofLog = successorIn(known);
  if (ofLog !== undefined && ofLog !== "") return { superseded_by: ofLog };
  if (ofFile === "") return { status: imported.status };
  return ofLog === "" ? { status: known.status } : {};
}

/** By this key alone; empty where a status names nobody. */
function successorIn(record: RawDecision, key: "status" | "superseded_by" = "status"): string | undefined {
  return readSupersession({ [key]: record[key] }, "").supersededBy;
}

// Which keys of a record that the log has already an import sets: what the file says otherwise. What only the log has stays,
// so does its mark, and of two reviews the later one.

/** Settled by other rules than the rest. `id` is the same, however it is spelt. */
const MERGED_ELSEWHERE = new Set<string>(["id", "preserve", "superseded_by", ...OF_REVIEWS]);

/** Undefined where nothing would change. Keys are only ever set, to null where the record must not go on saying it. */
function mergeImported(known: RawDecision, imported: RawDecision): RawDecision | undefined {
  const said = Object.entries(imported).filter(([key, value]) => !MERGED_ELSEWHERE.has(key) && isSaid(key, value));
  const wanted: RawDecision = {
    ...Object.fromEntries(said),
    ...("preserve" in known || isSilent(imported.preserve) ? {} : { preserve: imported.preserve }),
    ...mergeReview(known, imported),
  };
  const changes = Object.entries(wanted).filter(([key, value]) => !isSame(known[key], value));
  return changes.length === 0 ? undefined : Object.fromEntries(changes);
}

/** An empty list of what it supersedes does not contradict what the log knows. */
function isSaid(key: string, value: unknown): boolean {
  return !isSilent(value) && !(key === "supersedes" && Array.isArray(value) && value.length === 0);
}

function isSame(known: unknown, wanted: unknown): boolean {
  return isSilent(known) && isSilent(wanted) ? true : canonicalJson(known) === canonicalJson(wanted);
}
