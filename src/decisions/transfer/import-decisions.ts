// Puts raw records into a log so that doing it twice adds nothing. In batches: other writers wait for one, not for all, and
// an import that is stopped goes on where it stopped when it is done again.
import { CompactError } from "../../errors.ts";
import type { RawDecision } from "../decision.ts";
import type { DecisionLog, DecisionReader, DecisionWriter } from "../decision-log.ts";
import { readDecision } from "../reading/read-decision.ts";
import { checkSize } from "../reading/record-size.ts";
import type { SourceFault } from "./decision-source.ts";
import { mergeImported } from "./merge-imported.ts";

const BATCH = 300;

export interface ImportDecisionsOptions {
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

interface Tally {
  added: number;
  updated: number;
  unchanged: number;
  readonly faults: SourceFault[];
}

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
  for (let start = 0; start < records.length; start += BATCH) {
    signal?.throwIfAborted();
    const batch = readable(records.slice(start, start + BATCH), start, seen, tally.faults);
    const own: Tally = { added: 0, updated: 0, unchanged: 0, faults: [] };
    if (dryRun) await log.read((reader) => settle(reader, undefined, batch, own));
    else await log.write((writer) => settle(writer, writer, batch, own));
    tally.added += own.added;
    tally.updated += own.updated;
    tally.unchanged += own.unchanged;
    tally.faults.push(...own.faults);
    onProgress?.(Math.min(start + BATCH, records.length), records.length);
  }
  return tally;
}

interface Readable {
  readonly id: string;
  readonly raw: RawDecision;
}

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

async function settle(
  reader: DecisionReader,
  writer: DecisionWriter | undefined,
  batch: readonly Readable[],
  tally: Tally,
): Promise<void> {
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
      if (before === undefined) await addRecord(writer, raw);
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
}

/** Without a writer it only looks whether it could. */
async function addRecord(writer: DecisionWriter | undefined, raw: RawDecision): Promise<void> {
  if (writer === undefined) checkSize(raw);
  else await writer.add(raw);
}

/** Where a file is written in such a way that its keys cannot be set one by one. */
async function writeAnew(writer: DecisionWriter, raw: RawDecision, error: unknown): Promise<unknown> {
  if (!CompactError.isInstance(error) || error.code !== "UNEDITABLE_RECORD") throw error;
  return writer.replace(raw);
}
