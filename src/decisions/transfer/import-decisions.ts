// Puts raw records into a log so that doing it twice adds nothing. In batches: other writers wait for one, not for all, and
// an import that is stopped goes on where it stopped when it is done again.
import { CompactError } from "../../errors.ts";
import type { RawDecision } from "../decision.ts";
import type { DecisionLog, DecisionReader, DecisionWriter } from "../decision-log.ts";
import { readDecision } from "../reading/read-decision.ts";
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

type Change = { readonly kind: "add" | "replace"; readonly raw: RawDecision } | { readonly kind: "none" };

/**
 * Adds what the log does not have and updates what it has otherwise. `preserve` of a record that is there stays as it is,
 * and so does a review that the file lacks.
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
    const change = changeOf(known.get(id), raw);
    try {
      if (change.kind === "add") await writer?.add(change.raw);
      if (change.kind === "replace") await writer?.replace(change.raw);
    } catch (error) {
      // A record that this log cannot hold, for its size or shape, stops no other.
      if (!CompactError.isInstance(error) || error.kind !== "InvalidInput") throw error;
      tally.faults.push({ id, code: "UNREADABLE_RECORD", message: error.message });
      continue;
    }
    if (change.kind === "add") tally.added += 1;
    else if (change.kind === "replace") tally.updated += 1;
    else tally.unchanged += 1;
  }
}

function changeOf(known: RawDecision | undefined, raw: RawDecision): Change {
  if (known === undefined) return { kind: "add", raw };
  const merged = mergeImported(known, raw);
  return merged === undefined ? { kind: "none" } : { kind: "replace", raw: merged };
}
