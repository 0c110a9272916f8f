// Rows as the database gives them and as the store's callers get them: the columns that are read, and their values in
// the types of the records, whatever other writers have put there.
import type { SqlRow, SqlValue } from "../../storage/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import type { Observation, Prompt, Relation, Session } from "../observation.ts";
import type { StoreShape } from "./check-schema.ts";

export const SESSION_COLUMNS = "id, project, directory, started_at, ended_at, summary";
export const RELATION_COLUMNS = "id, from_id, to_id, type, note, created_at";

export function observationColumns({ hasNamespaces }: StoreShape): string {
  return `id, session_id, type, ${whole("title")}, ${whole("content")}, tool_name, project, scope, topic_key,
    ${hasNamespaces ? "namespace" : "NULL AS namespace"}, normalized_hash, revision_count, duplicate_count, last_seen_at,
    created_at, updated_at, deleted_at`;
}

export function promptColumns({ hasPromptNamespaces }: StoreShape): string {
  return `id, session_id, ${whole("content")}, project, ${hasPromptNamespaces ? "namespace" : "NULL AS namespace"}, created_at`;
}

/** Node 22 cuts a text at a NUL when it reads it; bytes it leaves alone. */
function whole(column: string): string {
  return `CASE instr(${column}, char(0)) WHEN 0 THEN ${column} ELSE CAST(${column} AS BLOB) END AS ${column}`;
}

/** In the order of `ids`, unknown ones left out. */
export function rowsOf(sql: Sql, shape: StoreShape, ids: readonly number[]): readonly Observation[] {
  if (ids.length === 0) return [];
  const found = new Map(
    sql
      .all(
        `SELECT ${observationColumns(shape)} FROM observations WHERE id IN (SELECT value FROM json_each(?))`,
        idList(ids),
      )
      .map((row) => [Number(row.id), observation(row)]),
  );
  return ids.flatMap((id) => found.get(id) ?? []);
}

/** Ids as one value, so that any number of them fits a statement. What is no whole number is no id. */
export function idList(ids: readonly number[]): string {
  return JSON.stringify(ids.filter(Number.isSafeInteger));
}

export function observation(row: SqlRow): Observation {
  return {
    id: Number(row.id),
    session_id: text(row.session_id),
    type: text(row.type),
    title: text(row.title),
    content: text(row.content),
    tool_name: textOrNull(row.tool_name),
    project: textOrNull(row.project),
    scope: text(row.scope),
    topic_key: textOrNull(row.topic_key),
    namespace: textOrNull(row.namespace),
    normalized_hash: textOrNull(row.normalized_hash),
    revision_count: Number(row.revision_count),
    duplicate_count: Number(row.duplicate_count),
    last_seen_at: textOrNull(row.last_seen_at),
    created_at: text(row.created_at),
    updated_at: text(row.updated_at),
    deleted_at: textOrNull(row.deleted_at),
  };
}

export function session(row: SqlRow): Session {
  return {
    id: text(row.id),
    project: text(row.project),
    directory: text(row.directory),
    started_at: text(row.started_at),
    ended_at: textOrNull(row.ended_at),
    summary: textOrNull(row.summary),
  };
}

export function prompt(row: SqlRow): Prompt {
  return {
    id: Number(row.id),
    session_id: text(row.session_id),
    content: text(row.content),
    project: textOrNull(row.project),
    namespace: textOrNull(row.namespace),
    created_at: text(row.created_at),
  };
}

export function relation(row: SqlRow): Relation {
  return {
    id: Number(row.id),
    from_id: Number(row.from_id),
    to_id: Number(row.to_id),
    type: text(row.type),
    note: textOrNull(row.note),
    created_at: text(row.created_at),
  };
}

function text(value: SqlValue | undefined): string {
  return textOrNull(value) ?? "";
}

function textOrNull(value: SqlValue | undefined): string | null {
  if (value === null || value === undefined) return null;
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : String(value);
}
