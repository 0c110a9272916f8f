// Walks a store as self-describing lines, from any place on, for exports that go through an agent a page at a time. Each
// line is a row of one table; relations say enough of their ends to find them in a store that gave the rows other ids.
import type { Observation, Session } from "../observation.ts";
import type { ObservationReader } from "../observation-store.ts";
import { FIRST_ID } from "../pages.ts";
import { normalizedHash } from "../saving/stored-text.ts";
import {
  type ExportFilter,
  isWhole,
  observationsOf,
  promptsOf,
  relationsOf,
  sessionsOf,
} from "./export-observations.ts";
import { timeOf } from "./table-rows.ts";

type ExportTable = "session" | "observation" | "prompt" | "relation";

/** Where an export goes on. */
export interface ExportPlace {
  readonly table: ExportTable;
  /** Everything up to this id was given; for sessions, whose ids can be of any length, so many of them. */
  readonly after: number;
  /** True where the session of the next row was given. */
  readonly hasSession?: boolean | undefined;
}

export interface ExportLine {
  readonly type: ExportTable;
  readonly row: object;
  readonly id: number | string;
  /** Of equal rows, the how many-th by id; absent for the first. */
  readonly nth?: number;
  /** Where to go on after it. */
  readonly place: ExportPlace;
}

const TABLES: readonly ExportTable[] = ["session", "observation", "prompt", "relation"];
const FIRST_PLACE: ExportPlace = { table: "session", after: 0 };

/** All lines from a place on; the whole export without one. */
export async function* exportLines(
  reader: ObservationReader,
  filter: ExportFilter,
  place: ExportPlace = FIRST_PLACE,
): AsyncGenerator<ExportLine> {
  const given = new Set<string>();
  for (const table of TABLES.slice(TABLES.indexOf(place.table))) {
    const from = table === place.table ? place : undefined;
    if (table === "session") yield* sessionLines(reader, filter, from?.after ?? 0);
    else if (table === "relation") yield* relationLines(reader, filter, from?.after);
    else yield* rowLines(reader, filter, table, from, given);
  }
}

async function* sessionLines(
  reader: ObservationReader,
  filter: ExportFilter,
  after: number,
): AsyncGenerator<ExportLine> {
  const isWanted = (session: Session) => isWhole(filter) || session.project === filter.project;
  let number = 0;
  for await (const row of sessionsOf(reader, isWanted)) {
    number += 1;
    if (number > after) yield { type: "session", row, id: row.id, place: { table: "session", after: number } };
  }
}

async function* rowLines(
  reader: ObservationReader,
  filter: ExportFilter,
  table: "observation" | "prompt",
  from: ExportPlace | undefined,
  given: Set<string>,
): AsyncGenerator<ExportLine> {
  let after = from?.after ?? FIRST_ID;
  let hasSession = from?.hasSession === true;
  const rows = table === "observation" ? observationsOf(reader, filter, after) : promptsOf(reader, filter, after);
  for await (const row of rows) {
    const isGiven = isWhole(filter) || hasSession || given.has(row.session_id);
    const session = isGiven ? undefined : await reader.session(row.session_id);
    given.add(row.session_id);
    // Other projects' sessions come with the first row of a page that needs them.
    if (session !== undefined && session.project !== filter.project)
      yield { type: "session", row: session, id: session.id, place: { table, after, hasSession: true } };
    after = row.id;
    hasSession = false;
    const nth = table === "observation" ? await countEqualTo(reader, row as Observation) : 1;
    yield { type: table, row, id: row.id, place: { table, after }, ...(nth > 1 ? { nth } : {}) };
  }
}

async function* relationLines(
  reader: ObservationReader,
  filter: ExportFilter,
  after: number | undefined,
): AsyncGenerator<ExportLine> {
  for await (const { row, from, to } of relationsOf(reader, filter, after)) {
    const { deleted_at } = from;
    // A summary that is deleted here, too, is no summary that was retired where the line is imported.
    const summary = { ...identityOf(from), ...(deleted_at === null ? {} : { deleted_at }) };
    const place: ExportPlace = { table: "relation", after: row.id };
    yield { type: "relation", row: { ...row, from: summary, to: identityOf(to) }, id: row.id, place };
  }
}

/** Rows up to this one that an import could take for it. */
async function countEqualTo(reader: ObservationReader, row: Observation): Promise<number> {
  const hash = row.normalized_hash ?? normalizedHash(row.content);
  const equal = await reader.equals({ ...row, normalized_hash: hash }, "any");
  const created = timeOf(row.created_at);
  const isBefore = ({ id, content, created_at }: Observation) =>
    id < row.id && content === row.content && timeOf(created_at) === created;
  return equal.filter(isBefore).length + 1;
}

function identityOf(row: Observation) {
  const { session_id, created_at, normalized_hash, type, title, project, scope, namespace, content } = row;
  const hash = normalized_hash ?? normalizedHash(content);
  return { session_id, created_at, normalized_hash: hash, type, title, project, scope, namespace };
}
