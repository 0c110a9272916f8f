// Changes a log inside one transaction. A record is checked as it will be read back before anything is written.
import { CompactError } from "../../errors.ts";
import type { SqlRow } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import type { RawDecision, StoredDecision } from "../decision.ts";
import type { DecisionWriter } from "../decision-log.ts";
import { readDecision } from "../read-decision.ts";
import { checkChangedSize, checkSize } from "../record-values.ts";
import { storedText } from "./conditions.ts";
import { writeLevels, writeRun, writeState, writeTexts } from "./cycle-rows.ts";
import { createReader } from "./reader.ts";
import { addRecord, type CheckedRecord, RECORD_COLUMNS, replaceRecord, storedDecision } from "./record-rows.ts";

export function createWriter(sql: Sql): DecisionWriter {
  const rowOf = (id: string) =>
    sql.get(`SELECT d.n, ${RECORD_COLUMNS} FROM decisions AS d WHERE d.id = ?`, storedText(id));
  const neededRow = (id: string): SqlRow => {
    const row = rowOf(id);
    if (row === undefined) throw unknown(id);
    return row;
  };
  const stored = ({ decision }: CheckedRecord): StoredDecision => storedDecision(neededRow(decision.id)) ?? decision;
  return {
    ...createReader(sql),
    async add(raw) {
      checkSize(raw);
      const record = checked(raw);
      if (rowOf(record.decision.id) !== undefined) throw exists(record.decision.id);
      addRecord(sql, record);
      return stored(record);
    },
    async change(id, changes) {
      const row = neededRow(id);
      const before = storedRaw(row);
      const after = { ...before, ...changes };
      checkChangedSize(before, changes, after);
      const record = checked(after);
      if (record.decision.id !== id) throw otherId(id);
      replaceRecord(sql, row, record);
      return stored(record);
    },
    async replace(raw) {
      checkSize(raw);
      const record = checked(raw);
      replaceRecord(sql, neededRow(record.decision.id), record);
      return stored(record);
    },
    setLevels: async (levels) => writeLevels(sql, levels),
    putTexts: async (texts) => writeTexts(sql, texts),
    addRun: async (run) => writeRun(sql, run),
    setState: async (key, value) => writeState(sql, key, value),
  };
}

function storedRaw({ raw }: SqlRow): RawDecision {
  try {
    return JSON.parse(String(raw));
  } catch (cause) {
    throw unreadable("The record in the log is no JSON.", cause);
  }
}

/** As it will be read back. */
function checked(raw: RawDecision): CheckedRecord {
  const json = jsonOf(raw);
  const { decision, faults } = readDecision(JSON.parse(json), { name: "the record" });
  if (decision === undefined) throw unreadable(faults[0]?.message ?? "");
  return { decision, faults, json };
}

function jsonOf(raw: RawDecision): string {
  try {
    return JSON.stringify(raw) ?? "null";
  } catch (cause) {
    throw unreadable("It holds a value that JSON has no form for.", cause);
  }
}

function unreadable(why: string, cause?: unknown): CompactError {
  return new CompactError("InvalidInput", `Nothing was changed: the record could not be read back. ${why}`.trim(), {
    code: "UNREADABLE_RECORD",
    hint: "A record is a map of texts, numbers, lists and maps, with an id and a text under decision or summary.",
    ...(cause === undefined ? {} : { cause }),
  });
}

function otherId(id: string): CompactError {
  return new CompactError("InvalidInput", `Nothing was changed: decision ${named(id)} may not be given another id.`, {
    code: "UNREADABLE_RECORD",
    hint: "Leave id out of the changes, or add a record with the other id.",
    data: { id },
  });
}

function exists(id: string): CompactError {
  return new CompactError("Conflict", `Nothing was changed: decision ${named(id)} exists already.`, {
    code: "DECISION_EXISTS",
    hint: "Take another id, or review the decision that has it.",
    data: { id },
  });
}

function unknown(id: string): CompactError {
  return new CompactError("NotFound", `Nothing was changed: decision ${named(id)} is not in the log.`, {
    code: "UNKNOWN_DECISION",
    hint: "List the decisions and take an id from there.",
    data: { id },
  });
}

function named(id: string): string {
  return id.slice(0, 200);
}
