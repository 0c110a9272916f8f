// The sessions of opencode, which keeps them in a database: read as `opencode export` prints them, never written to.
import type { SqlDatabase, SqlRow } from "../../storage/sqlite/driver.ts";
import { findDriver } from "../../storage/sqlite/open-database.ts";
import { sqliteFailure } from "../../storage/sqlite/sqlite-failure.ts";
import { isFilledText, type JsonObject } from "../../text/json-values.ts";
import { pushTo } from "../../text/words.ts";

export interface OpencodeSession {
  readonly id: string;
  /** The folder that the host worked in. */
  readonly project: string;
  /** Milliseconds since 1970. */
  readonly changedAt: number;
}

/** Those that people began, not their sub-agents'. Throws `MissingDependency` where no SQLite can be loaded, `StoreFailed`. */
export function listOpencode(path: string): Promise<readonly OpencodeSession[]> {
  return withDatabase(path, (database) =>
    database
      .prepare("SELECT id, directory, time_updated FROM session WHERE parent_id IS NULL AND time_archived IS NULL")
      .all()
      .map((row) => ({ id: `${row.id}`, project: `${row.directory}`, changedAt: Number(row.time_updated) })),
  );
}

/** The number of messages of a session; 0 where it is not there. */
export function countOpencode(path: string, id: string): Promise<number> {
  return withDatabase(path, (database) =>
    Number(database.prepare("SELECT count(*) AS count FROM message WHERE session_id = ?").get(id)?.count),
  );
}

/** Bytes of the messages and parts of a session. */
export function sizeInOpencode(path: string, id: string): Promise<number> {
  const sizeIn = (table: string) => `SELECT sum(length(CAST(data AS BLOB))) FROM ${table} WHERE session_id = ?`;
  return withDatabase(path, (database) => {
    const sizes = database.prepare(`${sizeIn("message")} UNION ALL ${sizeIn("part")}`).all(id, id);
    return sizes.flatMap((row) => Object.values(row)).reduce<number>((sum, size) => sum + Number(size), 0);
  });
}

/** Milliseconds since 1970; undefined where the session is not there. */
export function changedInOpencode(path: string, id: string): Promise<number | undefined> {
  return withDatabase(path, (database) => {
    const row = database.prepare("SELECT time_updated FROM session WHERE id = ?").get(id);
    return row === undefined ? undefined : Number(row.time_updated);
  });
}

/** The JSON text of a session, its messages and their parts. Throws as `listOpencode` does. */
export function exportOpencode(path: string, id: string): Promise<string> {
  return withDatabase(path, (database) => {
    const partsOf = new Map<unknown, JsonObject[]>();
    for (const row of database.prepare("SELECT * FROM part WHERE session_id = ? ORDER BY message_id, id").all(id)) {
      const part = { ...parsed(row.data), id: row.id, messageID: row.message_id, sessionID: row.session_id };
      pushTo(partsOf, row.message_id as unknown, part);
    }
    const session = database.prepare("SELECT * FROM session WHERE id = ?").get(id) ?? {};
    const messages = database
      .prepare("SELECT * FROM message WHERE session_id = ? ORDER BY time_created, id")
      .all(id)
      .map((row) => ({
        info: { ...parsed(row.data), id: row.id, sessionID: row.session_id },
        parts: partsOf.get(row.id) ?? [],
      }));
    return JSON.stringify({ info: infoOf(session), messages });
  });
}

function infoOf(row: SqlRow): JsonObject {
  return Object.fromEntries(
    Object.entries({
      id: row.id,
      slug: row.slug,
      projectID: row.project_id,
      directory: row.directory,
      path: row.path,
      title: row.title,
      agent: row.agent,
      model: parsed(row.model),
      version: row.version,
      cost: row.cost,
      revert: parsed(row.revert),
      permission: parsed(row.permission),
      time: { created: row.time_created, updated: row.time_updated },
    }).filter(([, value]) => value !== null && value !== undefined),
  );
}

function parsed(text: SqlRow[string] | undefined): JsonObject | undefined {
  return isFilledText(text) ? (JSON.parse(text) as JsonObject) : undefined;
}

async function withDatabase<T>(path: string, use: (database: SqlDatabase) => T): Promise<T> {
  const driver = await findDriver();
  try {
    const database = driver.open(path, { readOnly: true });
    try {
      return use(database);
    } finally {
      await database.close();
    }
  } catch (error) {
    throw sqliteFailure("read opencode's sessions", path, error);
  }
}
