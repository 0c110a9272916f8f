// Writes a whole store as one JSON object, in pieces, so that no more than a page of rows is ever in memory. The shape is
// the reference's export; its importer leaves out what it does not know: relations, namespaces, hashes, the format's name.
import type { Clock } from "../../time.ts";
import { type Session, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import { createHandover } from "./exporting/handover.ts";
import { type ExportFilter, observationsOf, promptsOf, relationsOf, sessionsOf } from "./exporting/walk-rows.ts";

const EXPORT_FORMAT = "agent-compact-export";
/** The version that the reference's exports have. */
const VERSION = "0.1.0";
const PIECE = 64 * 1024;

export interface ExportRequest extends ExportFilter {
  readonly now: Clock;
}

/**
 * Pieces of about 64 KiB, together one JSON text that ends in a line feed: deleted rows, relations and prompts included, as
 * the store was when the first piece was asked for. Until the last piece was taken or the loop left, the store is being
 * read: do not write to it, or read it, inside of the loop.
 * @throws StoreFailed as the store's `read` does, before or between pieces.
 */
export async function* exportObservations(store: ObservationStore, request: ExportRequest): AsyncGenerator<string> {
  const handover = createHandover<string>();
  const reading = store
    .read(async (reader) => {
      for await (const piece of joined(texts(reader, request))) if (!(await handover.give(piece))) return;
    })
    .finally(() => handover.end());
  // It is awaited below; a loop that was left must not turn a failure into an unhandled one.
  reading.catch(() => undefined);
  try {
    for (let piece = await handover.take(); piece !== undefined; piece = await handover.take()) yield piece;
  } finally {
    handover.stop();
    await reading;
  }
}

async function* texts(reader: ObservationReader, { now, ...filter }: ExportRequest): AsyncGenerator<string> {
  const used = new Set<string>();
  const isWhole = filter.project === undefined && filter.scope === undefined;
  const noting = async function* <Row extends { readonly session_id: string }>(rows: AsyncIterable<Row>) {
    for await (const row of rows) {
      if (!isWhole) used.add(row.session_id);
      yield row;
    }
  };
  // Last, because only then is it known which ones a part of the store needs.
  const isWanted = ({ id, project }: Session) => isWhole || used.has(id) || project === filter.project;
  yield `{"format":${JSON.stringify(EXPORT_FORMAT)},"version":"${VERSION}","exported_at":"${storedTime(now())}"`;
  yield* table("observations", noting(observationsOf(reader, filter)));
  yield* table("prompts", noting(promptsOf(reader, filter)));
  yield* table("relations", rowsOf(relationsOf(reader, filter)));
  yield* table("sessions", sessionsOf(reader, isWanted));
  yield "}\n";
}

async function* table(name: string, rows: AsyncIterable<object>): AsyncGenerator<string> {
  yield `,\n"${name}":[`;
  let before = "\n";
  for await (const row of rows) {
    yield before + JSON.stringify(row);
    before = ",\n";
  }
  yield "]";
}

async function* rowsOf<Row>(items: AsyncIterable<{ readonly row: Row }>): AsyncGenerator<Row> {
  for await (const { row } of items) yield row;
}

async function* joined(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    if (text.length < PIECE) continue;
    yield text;
    text = "";
  }
  if (text !== "") yield text;
}
