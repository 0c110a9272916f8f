// The faults of decisions that supersede each other in a circle, kept in step with who took whose place.
import type { Sql } from "../../../storage/sqlite/transactions.ts";
import { allInCircles, CIRCLE, circleFault, circleOf } from "../../reading/circles.ts";
import { originalText, storedText } from "../ordered-text.ts";

/** Before any of these gets another successor, or none. */
export function dropCircles(sql: Sql, ids: readonly string[]): void {
  for (const id of new Set(ids.map(storedText))) {
    if (sql.get("SELECT 1 FROM decision_faults WHERE id = ? AND code = ?", id, CIRCLE) === undefined) continue;
    for (const member of circleIn(sql, id)) {
      sql.run("DELETE FROM decision_faults WHERE id = ? AND code = ?", member, CIRCLE);
    }
  }
}

/** Once the successors of these are settled. */
export function markCircles(sql: Sql, ids: readonly string[]): void {
  for (const id of new Set(ids.map(storedText))) mark(sql, circleIn(sql, id));
}

export function markAllCircles(sql: Sql): void {
  const rows = sql.all("SELECT id, superseded_by FROM decisions WHERE superseded_by IS NOT NULL");
  mark(sql, allInCircles(new Map(rows.map(({ id, superseded_by }) => [String(id), String(superseded_by)]))));
}

function circleIn(sql: Sql, id: string): readonly string[] {
  return circleOf(id, (at) => {
    const next = sql.get("SELECT superseded_by FROM decisions WHERE id = ?", at)?.superseded_by;
    return typeof next === "string" ? next : undefined;
  });
}

/** \`ids\` as they are stored. */
function mark(sql: Sql, ids: readonly string[]): void {
  for (const id of ids) {
    const { code, message } = circleFault(originalText(id));
    sql.run(
      "INSERT OR REPLACE INTO decision_faults(id, code, message) VALUES (?, ?, ?)",
      id,
      code,
      storedText(message),
    );
  }
}
