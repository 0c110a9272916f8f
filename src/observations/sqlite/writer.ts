// Changes rows inside one transaction; rules of the database's own, triggers of other programs included, it enforces itself.
import { CompactError } from "../../errors.ts";
import type { SqlValue } from "../../storage/sqlite/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import { COLUMNS, type Rows } from "../observation.ts";
import type { RowTables } from "../row-writer.ts";
import { LISTED, TABLES } from "./rows.ts";
import type { StoreShape } from "./schema.ts";

export function tablesIn(sql: Sql, shape: StoreShape): RowTables {
  return {
    exists: (table, id) => sql.get(`SELECT 1 FROM ${TABLES[table]} WHERE id = ?`, id) !== undefined,
    hasRelation({ from_id, to_id, type }) {
      const known = "SELECT 1 FROM relations WHERE from_id = ? AND to_id = ? AND type = ?";
      return sql.get(known, from_id, to_id, type) !== undefined;
    },
    insert(table, row) {
      const values = valuesOf(shape, table, row);
      const columns = Object.keys(values).join(", ");
      const places = Object.keys(values).fill("?").join(", ");
      return sql.run(`INSERT INTO ${TABLES[table]} (${columns}) VALUES (${places})`, ...Object.values(values))
        .lastInsertRowid;
    },
    update(table, ids, changes) {
      const { id: _, ...values } = valuesOf(shape, table, changes);
      const set = Object.keys(values).map((column) => `${column} = ?`);
      // Without changes the rows are only counted.
      const update = `UPDATE ${TABLES[table]} SET ${set.join(", ") || "id = id"} WHERE id IN ${LISTED}`;
      return sql.run(update, ...Object.values(values), JSON.stringify(ids)).changes;
    },
    remove: (table, id) => sql.run(`DELETE FROM ${TABLES[table]} WHERE id = ?`, id).changes > 0,
  };
}

/** The columns that are given, in one order, so that equal changes are one prepared statement. */
function valuesOf(shape: StoreShape, table: keyof Rows, row: object): Readonly<Record<string, SqlValue>> {
  const values: Record<string, SqlValue> = {};
  for (const column of Object.keys(COLUMNS[table])) {
    const value = (row as Partial<Record<string, SqlValue>>)[column];
    if (value === undefined) continue;
    if (column !== "namespace" || shape.namespaces.has(table)) values[column] = value;
    else if (value !== null) throw noNamespaces();
  }
  return values;
}

function noNamespaces(): CompactError {
  return new CompactError("StoreFailed", "the row was not written: this memory store has no namespaces", {
    code: "NO_NAMESPACES",
    hint: "Leave the namespace out, or export the rows and import them into a new store.",
  });
}
