// Changes a log inside one transaction. A record is checked as it will be read back before anything is written.
import type { SqlRow } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { LEVELS, type RawDecision, type StoredDecision } from "../decision.ts";
import type { DecisionText, DecisionWriter } from "../decision-log.ts";
import { readDecision } from "../read-decision.ts";
import {
  changedRecordJson,
  decisionExists,
  OTHER_ID,
  recordJson,
  unknownDecision,
  unreadableRecord,
} from "../record-values.ts";
import { storedText } from "./conditions.ts";
import { createReader } from "./reader.ts";
import { type CheckedRecord, putRecord, RECORD_COLUMNS, storedDecision } from "./record-rows.ts";

export function createWriter(sql: Sql): DecisionWriter {
  const rowOf = (id: string) =>
    sql.get(`SELECT d.n, ${RECORD_COLUMNS} FROM decisions AS d WHERE d.id = ?`, storedText(id));
  const neededRow = (id: string): SqlRow => {
    const row = rowOf(id);
    if (row === undefined) throw unknownDecision(id);
    return row;
  };
  const stored = ({ decision }: CheckedRecord): StoredDecision => storedDecision(neededRow(decision.id)) ?? decision;
  return {
    ...createReader(sql),
    async add(raw) {
      const record = checked(recordJson(raw));
      if (rowOf(record.decision.id) !== undefined) throw decisionExists(record.decision.id);
      putRecord(sql, record);
      return stored(record);
    },
    async change(id, changes) {
      const row = neededRow(id);
      const record = checked(changedRecordJson(rawOf(row), changes));
      if (record.decision.id !== id) throw unreadableRecord(OTHER_ID);
      putRecord(sql, record, row);
      return stored(record);
    },
    async replace(raw) {
      const record = checked(recordJson(raw));
      putRecord(sql, record, neededRow(record.decision.id));
      return stored(record);
    },
    async setLevels(levels) {
      for (const { id, level } of levels) {
        const place = LEVELS.indexOf(level);
        sql.run("INSERT OR REPLACE INTO decision_levels(id, level) VALUES (?, ?)", storedText(id), place);
      }
    },
    async putTexts(texts) {
      for (const text of texts) putText(sql, text);
    },
    async addRun(run) {
      const startedAt = storedText(run.started_at);
      sql.run("INSERT INTO decision_runs(started_at, run) VALUES (?, ?)", startedAt, JSON.stringify(run));
    },
    async setState(key, value) {
      const json = JSON.stringify(value) as string | undefined;
      if (json === undefined) sql.run("DELETE FROM decision_state WHERE key = ?", storedText(key));
      else sql.run("INSERT OR REPLACE INTO decision_state(key, value) VALUES (?, ?)", storedText(key), json);
    },
  };
}

function rawOf({ raw }: SqlRow): RawDecision {
  try {
    return JSON.parse(String(raw));
  } catch (cause) {
    throw unreadableRecord("The record in the log is no JSON.", cause);
  }
}

/** As it will be read back. */
function checked(json: string): CheckedRecord {
  const { decision, faults } = readDecision(JSON.parse(json), { name: "the record" });
  if (decision === undefined) throw unreadableRecord(faults[0]?.message);
  return { decision, faults, json };
}

/** Of a record that has changed meanwhile none is kept; a text of another hash is not taken. */
function putText(sql: Sql, { id, level, hash, strategy, model, text, source }: DecisionText): void {
  const stored = storedText(id);
  const { hash: current = null } = sql.get("SELECT hash FROM decisions WHERE id = ?", stored) ?? {};
  sql.run("DELETE FROM decision_texts WHERE id = ? AND hash IS NOT ?", stored, current);
  if (hash !== current) return;
  sql.run(
    `INSERT OR REPLACE INTO decision_texts(id, level, strategy, model, hash, text, source)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    ...[stored, level, storedText(strategy), storedText(model), hash, storedText(text), source],
  );
}
