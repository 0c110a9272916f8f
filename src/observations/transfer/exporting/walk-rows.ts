// Walks the tables of a store in the order in which they can be written again, a page at a time, from any place on. What
// becomes of a row is left to the two exports.
import type { Observation, Prompt, Relation, Session } from "../../observation.ts";
import type { ObservationReader } from "../../observation-store.ts";

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
