// Writes a whole store as one JSON object, in pieces, so that no more than a page of rows is ever in memory. The shape is
// the reference's export; its importer leaves out what it does not know: relations, namespaces, hashes, the format's name.
import type { Clock } from "../../time.ts";
import { type Observation, type Prompt, type Relation, type Session, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";
import { FIRST_ID, pagesAfter } from "../pages.ts";
import { matches } from "../row-filter.ts";

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
  let end: () => void = () => undefined;
  const isOver = new Promise<void>((resolve) => {
    end = resolve;
  });
  let reading = Promise.resolve();
  const reader = await new Promise<ObservationReader>((resolve, reject) => {
    // The read lasts as long as this generator.
    reading = store.read((rows) => {
      resolve(rows);
      return isOver;
    });
    reading.catch(reject);
  });
  try {
    yield* joined(texts(reader, request));
  } finally {
    end();
    await reading;
  }
}

async function* texts(reader: ObservationReader, { now, ...filter }: ExportRequest): AsyncGenerator<string> {
  const used = new Set<string>();
  const noting = async function* <Row extends { readonly session_id: string }>(rows: AsyncIterable<Row>) {
    for await (const row of rows) {
      if (!isWhole(filter)) used.add(row.session_id);
      yield row;
    }
  };
  // Last, because only then is it known which ones a part of the store needs.
  const isWanted = ({ id, project }: Session) => isWhole(filter) || used.has(id) || project === filter.project;
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

// Walks the tables of a store in the order in which they can be written again, a page at a time, from any place on. What
// becomes of a row is left to the two exports.

export interface ExportFilter {
  /** Compared exactly; sessions of the exported rows come along. */
  readonly project?: string;
  /** `project` or `personal`. */
  readonly scope?: string;
}

export function isWhole({ project, scope }: ExportFilter): boolean {
  return project === undefined && scope === undefined;
}

/** Rows of one table after a key, ascending, only those of the filter; all of them without one. */
export async function* observationsOf(
  reader: ObservationReader,
  { project, scope }: ExportFilter,
  after = FIRST_ID,
): AsyncGenerator<Observation> {
  const pages = pagesAfter((id, limit) => reader.observationsAfter(id, limit), after);
  for await (const page of pages) yield* page.filter((row) => matches(row, { project, scope }));
}

/** Prompts have no scope: a filter by scope leaves all of the project's. */
export async function* promptsOf(
  reader: ObservationReader,
  { project }: ExportFilter,
  after = FIRST_ID,
): AsyncGenerator<Prompt> {
  const pages = pagesAfter((id, limit) => reader.promptsAfter(id, limit), after);
  for await (const page of pages) yield* page.filter((row) => matches(row, { project }));
}

interface RelationWithEnds {
  readonly row: Relation;
  readonly from: Observation;
  readonly to: Observation;
}

/** Relations whose two ends are of the filter. */
export async function* relationsOf(
  reader: ObservationReader,
  { project, scope }: ExportFilter,
  after = FIRST_ID,
): AsyncGenerator<RelationWithEnds> {
  for await (const page of pagesAfter((id, limit) => reader.relationsAfter(id, limit), after)) {
    const ids = [...new Set(page.flatMap(({ from_id, to_id }) => [from_id, to_id]))];
    const wanted = (await reader.observations(ids)).filter((row) => matches(row, { project, scope }));
    const ends = new Map(wanted.map((row) => [row.id, row]));
    for (const row of page) {
      const from = ends.get(row.from_id);
      const to = ends.get(row.to_id);
      if (from !== undefined && to !== undefined) yield { row, from, to };
    }
  }
}

/** Sessions that `isWanted`, ascending by id. */
export async function* sessionsOf(
  reader: ObservationReader,
  isWanted: (session: Session) => boolean,
): AsyncGenerator<Session> {
  const pages = pagesAfter<string, Session>((id, limit) => reader.sessionsAfter(id, limit), "");
  for await (const page of pages) yield* page.filter(isWanted);
}
