// Writes a whole store as one JSON object, in pieces, so that no more than a page of rows is ever in memory. The shape is
// the reference's export; its importer leaves out what it does not know: relations, namespaces, hashes, the format's name.
import type { Clock } from "../../time.ts";
import { type Observation, type Prompt, type Relation, type Session, storedTime } from "../observation.ts";
import type { ObservationReader, ObservationStore } from "../observation-store.ts";

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
  const handover = createPieceChannel<string>();
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

// Walks the tables of a store in the order in which they can be written again, a page at a time, from any place on. What
// becomes of a row is left to the two exports.

const PAGE = 500;
const FIRST_ID = Number.MIN_SAFE_INTEGER;

export interface ExportFilter {
  /** Compared exactly; sessions of the exported rows come along. */
  readonly project?: string;
  /** `project` or `personal`. */
  readonly scope?: string;
}

/** Rows of one table after a key, ascending, only those of the filter; all of them without one. */
export async function* observationsOf(
  reader: ObservationReader,
  { project, scope }: ExportFilter,
  after = FIRST_ID,
): AsyncGenerator<Observation> {
  for await (const row of pages((key, limit) => reader.observationsAfter(key, limit), after)) {
    if ((project === undefined || row.project === project) && (scope === undefined || row.scope === scope)) yield row;
  }
}

/** Prompts have no scope: a filter by scope leaves all of the project's. */
export async function* promptsOf(
  reader: ObservationReader,
  { project }: ExportFilter,
  after = FIRST_ID,
): AsyncGenerator<Prompt> {
  for await (const row of pages((key, limit) => reader.promptsAfter(key, limit), after)) {
    if (project === undefined || row.project === project) yield row;
  }
}

interface RelationWithEnds {
  readonly row: Relation;
  readonly from: Observation;
  readonly to: Observation;
}

/** Relations whose two ends are of the filter. */
export async function* relationsOf(
  reader: ObservationReader,
  filter: ExportFilter,
  after = FIRST_ID,
): AsyncGenerator<RelationWithEnds> {
  const isWanted = ({ project, scope }: Observation) =>
    (filter.project === undefined || project === filter.project) &&
    (filter.scope === undefined || scope === filter.scope);
  for (let key = after; ; ) {
    const page = await reader.relationsAfter(key, PAGE);
    const ids = [...new Set(page.flatMap(({ from_id, to_id }) => [from_id, to_id]))];
    const ends = new Map((await reader.observations(ids)).map((row) => [row.id, row]));
    for (const row of page) {
      const from = ends.get(row.from_id);
      const to = ends.get(row.to_id);
      if (from !== undefined && to !== undefined && isWanted(from) && isWanted(to)) yield { row, from, to };
    }
    const last = page.at(-1);
    if (last === undefined) return;
    key = last.id;
  }
}

/** Sessions after an id, ascending, that `isWanted`. */
export async function* sessionsOf(
  reader: ObservationReader,
  isWanted: (session: Session) => boolean,
  after = "",
): AsyncGenerator<Session> {
  for (let key = after; ; ) {
    const page = await reader.sessionsAfter(key, PAGE);
    for (const row of page) if (isWanted(row)) yield row;
    const last = page.at(-1);
    if (last === undefined) return;
    key = last.id;
  }
}

async function* pages<Row extends { readonly id: number }>(
  read: (key: number, limit: number) => Promise<readonly Row[]>,
  after: number,
): AsyncGenerator<Row> {
  for (let key = after; ; ) {
    const page = await read(key, PAGE);
    yield* page;
    const last = page.at(-1);
    if (last === undefined) return;
    key = last.id;
  }
}

// Hands pieces from a callback that must not end to a loop that may stop: the giver waits until its piece was taken.

interface PieceChannel<Piece> {
  /** Resolves when the taker wants another piece; false when it wants no more. */
  give(piece: Piece): Promise<boolean>;
  /** The next piece, or undefined after `end`. */
  take(): Promise<Piece | undefined>;
  /** The giver has no more pieces, or failed. */
  end(): void;
  /** The taker wants no more. */
  stop(): void;
}

function createPieceChannel<Piece>(): PieceChannel<Piece> {
  let offered: Piece | undefined;
  let answer: ((isWanted: boolean) => void) | undefined;
  let waiting: ((piece: Piece | undefined) => void) | undefined;
  let isOver = false;
  return {
    give(piece) {
      if (isOver) return Promise.resolve(false);
      if (waiting !== undefined) {
        waiting(piece);
        waiting = undefined;
      } else offered = piece;
      return new Promise((resolve) => {
        answer = resolve;
      });
    },
    take() {
      answer?.(true);
      answer = undefined;
      const piece = offered;
      offered = undefined;
      if (piece !== undefined || isOver) return Promise.resolve(piece);
      return new Promise((resolve) => {
        waiting = resolve;
      });
    },
    end() {
      isOver = true;
      waiting?.(undefined);
    },
    stop() {
      isOver = true;
      answer?.(false);
    },
  };
}
