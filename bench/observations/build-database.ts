// A store of many observations from a seed, as years of agents' work would leave it: made once, kept for the next run.
import { createHash } from "node:crypto";
import { existsSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { storedTime } from "../../src/observations/observation.ts";
import { tables } from "../../src/observations/sqlite/schema.ts";
import type { Driver, SqlDatabase } from "../../src/storage/sqlite/driver.ts";
import { DAY_MS } from "../../src/time.ts";
import { noteText, randomFrom } from "./note-text.ts";

export const NOW = Date.UTC(2026, 2, 1);
const YEARS = 2;
const BATCH = 50_000;

/** Raise it when what is built changes. */
const EDITION = 2;

/** Gives the path of a database with `count` rows. */
export function buildDatabase(driver: Driver, count: number): string {
  const path = join(tmpdir(), `agent-compact-bench-${EDITION}-${count}.db`);
  if (existsSync(path)) return path;
  const unfinished = `${path}.unfinished`;
  for (const suffix of ["", "-wal", "-shm", "-journal"]) rmSync(unfinished + suffix, { force: true });
  const database = driver.open(unfinished);
  database.exec("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-400000");
  for (const table of tables) database.exec(table.sql);
  // One large index in memory at a time instead of a thousand small ones to be merged.
  configure(database, 128 * 1024 * 1024, 0);
  fill(database, count);
  database.exec("INSERT INTO observations_fts(observations_fts) VALUES ('optimize')");
  configure(database, 1024 * 1024, 4);
  database.exec("PRAGMA journal_mode=WAL");
  database.close();
  renameSync(unfinished, path);
  return path;
}

function configure(database: SqlDatabase, hashSize: number, automerge: number): void {
  const set = "INSERT INTO observations_fts(observations_fts, rank) VALUES";
  database.exec(`${set} ('hashsize', ${hashSize}); ${set} ('automerge', ${automerge})`);
}

function fill(database: SqlDatabase, count: number): void {
  const random = randomFrom(1);
  const start = NOW - YEARS * 365 * DAY_MS;
  for (let session = 0; session < 1000; session++) {
    database
      .prepare("INSERT INTO sessions(id, project, directory, started_at) VALUES (?, ?, '', ?)")
      .run(`session-${session}`, projectOf(random()), storedTime(start));
  }
  const insert = database.prepare(
    "INSERT INTO observations(session_id, type, title, content, project, scope, normalized_hash, created_at, updated_at, deleted_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
  );
  for (let first = 0; first < count; first += BATCH) {
    database.exec("BEGIN");
    for (let index = first; index < Math.min(count, first + BATCH); index++) {
      const { title, content } = noteText(random);
      const at = storedTime(start + ((NOW - start) * index) / count);
      const type = ["manual", "decision", "bugfix", "discovery"][Math.floor(random() * 4)] ?? "manual";
      const scope = random() < 0.1 ? "personal" : "project";
      const deletedAt = random() < 0.03 ? storedTime(NOW - DAY_MS) : null;
      const session = `session-${Math.floor((index / count) * 1000)}`;
      const hash = createHash("sha256").update(content).digest("hex");
      insert.run(session, type, title, content, projectOf(random()), scope, hash, at, at, deletedAt);
    }
    database.exec("COMMIT");
  }
}

/** Half of all rows are of one project, a few of many small ones. */
function projectOf(share: number): string {
  if (share < 0.5) return "shop";
  if (share < 0.8) return "warehouse";
  return `project-${Math.floor((share - 0.8) * 500)}`;
}
