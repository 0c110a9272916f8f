// What cycles keep beside records: levels and texts of them, runs, small values.
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { LEVELS, type Level } from "../decision.ts";
import type { CycleRun, DecisionText } from "../decision-log.ts";
import { jsonList, originalText, storedText } from "./conditions.ts";

/** In the order of `ids`. */
export function readTexts(sql: Sql, ids: readonly string[]): readonly DecisionText[] {
  const rows = sql.all(
    `SELECT t.* FROM json_each(?) AS wanted
       JOIN decisions AS d ON d.id = wanted.value
       JOIN decision_texts AS t ON t.id = d.id AND t.hash = d.hash
     ORDER BY wanted.key, t.level, t.strategy, t.model`,
    jsonList([...new Set(ids)].map(storedText)),
  );
  return rows.map(({ id, level, hash, strategy, model, text, source }) => ({
    id: originalText(String(id)),
    level: level as DecisionText["level"],
    hash: String(hash),
    strategy: originalText(String(strategy)),
    model: originalText(String(model)),
    text: originalText(String(text)),
    source: source as DecisionText["source"],
  }));
}

/** Of a record that has changed meanwhile it keeps none; a text of another hash is not taken. */
export function writeTexts(sql: Sql, texts: readonly DecisionText[]): void {
  for (const { id, level, hash, strategy, model, text, source } of texts) {
    const stored = storedText(id);
    const { hash: current = null } = sql.get("SELECT hash FROM decisions WHERE id = ?", stored) ?? {};
    sql.run("DELETE FROM decision_texts WHERE id = ? AND hash IS NOT ?", stored, current);
    if (hash !== current) continue;
    sql.run(
      `INSERT OR REPLACE INTO decision_texts(id, level, strategy, model, hash, text, source)
       VALUES (?, ?, ?, ?, ?, ?, ?)`,
      ...[stored, level, storedText(strategy), storedText(model), hash, storedText(text), source],
    );
  }
}

export function writeLevels(sql: Sql, levels: readonly { readonly id: string; readonly level: Level }[]): void {
  for (const { id, level } of levels) {
    const place = LEVELS.indexOf(level);
    sql.run("INSERT OR REPLACE INTO decision_levels(id, level) VALUES (?, ?)", storedText(id), place);
  }
}

export function readRuns(sql: Sql, limit: number): readonly CycleRun[] {
  return sql
    .all("SELECT run FROM decision_runs ORDER BY started_at DESC, n DESC LIMIT ?", limit)
    .map(({ run }) => JSON.parse(String(run)) as CycleRun);
}

export function writeRun(sql: Sql, run: CycleRun): void {
  sql.run("INSERT INTO decision_runs(started_at, run) VALUES (?, ?)", storedText(run.started_at), JSON.stringify(run));
}

export function readState(sql: Sql, key: string): unknown {
  const row = sql.get("SELECT value FROM decision_state WHERE key = ?", storedText(key));
  return row === undefined ? undefined : JSON.parse(String(row.value));
}

export function writeState(sql: Sql, key: string, value: unknown): void {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) sql.run("DELETE FROM decision_state WHERE key = ?", storedText(key));
  else sql.run("INSERT OR REPLACE INTO decision_state(key, value) VALUES (?, ?)", storedText(key), json);
}
