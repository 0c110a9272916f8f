// Counts by indexes alone, so that they cost no look at a table of a million rows. But for project and scope no index knows
// two columns of a filter; each can be asked whether a row is in it: the one that fewest rows meet is walked, the others
// are asked.
import type { SqlValue } from "../../storage/driver.ts";
import type { Sql } from "../../storage/sqlite/transactions.ts";
import type { ObservationFilter, Standing } from "../observation-store.ts";
import type { StoreShape } from "./check-schema.ts";
import { type Condition, conditionsOf, countUpTo } from "./conditions.ts";

const ALL = Number.MAX_SAFE_INTEGER;

export function countRows(sql: Sql, shape: StoreShape, filter: ObservationFilter, standing: Standing): number {
  if (filter.namespace !== undefined && !shape.hasNamespaces) return 0;
  const wanted = conditionsOf(filter, "any");
  const deleted = conditionsOf({}, "deleted");
  // Fewer rows are deleted than live in most stores.
  if (standing === "deleted") return countAll(sql, [...deleted, ...wanted]);
  const any = countAll(sql, wanted);
  return standing === "any" || any === 0 ? any : any - countAll(sql, [...deleted, ...wanted]);
}

function countAll(sql: Sql, conditions: readonly Condition[]): number {
  const [first, ...more] = conditions;
  if (first === undefined) return Number(sql.get("SELECT count(*) AS number FROM observations")?.number);
  if (more.length === 0) return first.column === "project" ? countProject(sql, first) : countUpTo(sql, first, ALL);
  if (conditions.length === 2 && first.column === "project" && more[0]?.column === "scope") {
    return countProjectScope(sql, [...first.values, ...more[0].values]);
  }
  let walked = first;
  let count = countUpTo(sql, first, ALL);
  for (const other of more) {
    // Counting stops where it is no better.
    const others = countUpTo(sql, other, count);
    if (others < count) [walked, count] = [other, others];
  }
  const asked = conditions.filter((condition) => condition !== walked);
  const [usual] = asked;
  if (usual?.column !== "scope" || asked.length > 1) return countWalking(sql, walked, asked);
  // Nearly every row is of the usual scope: the few that are not are found sooner.
  return isUsual(sql, usual, count)
    ? count - countWalking(sql, { ...usual, test: "<> ?" }, [walked])
    : countWalking(sql, walked, asked);
}

/** The index of topics knows both: most rows have none, and stand together there; the others are walked. */
function countProjectScope(sql: Sql, values: readonly SqlValue[]): number {
  const without = "SELECT count(*) AS number FROM observations WHERE topic_key IS NULL AND project = ? AND scope = ?";
  const within = "SELECT count(*) AS number FROM observations WHERE topic_key >= '' AND +project = ? AND +scope = ?";
  return [without, within].reduce((sum, counted) => sum + Number(sql.get(counted, ...values)?.number), 0);
}

const PROBES = 64;
/** From this many probes of the project on, the rows of all others are surely the quicker count. */
const USUAL_PROBES = 48;

/** A store often has one project, or nearly: then the rows that are of another are counted. */
function countProject(sql: Sql, project: Condition): number {
  // Each alone is answered without a look at the rows; together they are not.
  const last = sql.get("SELECT max(id) AS last FROM observations")?.last;
  const all = sql.get("SELECT count(*) AS number FROM observations")?.number;
  let met = 0;
  for (let probe = 0; probe < PROBES; probe++) {
    const id = Math.floor((Number(last) * probe) / PROBES);
    const asked = `SELECT (project ${project.test}) AS is_met FROM observations WHERE id > ? ORDER BY id LIMIT 1`;
    met += Number(sql.get(asked, ...project.values, id)?.is_met ?? 0);
  }
  if (met < USUAL_PROBES) return countUpTo(sql, project, ALL);
  const others = ["< ?", "> ?"].map((test) => countUpTo(sql, { ...project, test }, ALL));
  const without = countUpTo(sql, { ...project, test: "IS NULL", values: [] }, ALL);
  return Number(all) - without - others.reduce((sum, count) => sum + count, 0);
}

/** Whether fewer rows are of another scope than would be walked. */
function isUsual(sql: Sql, scope: Condition, walked: number): boolean {
  const others = Number(sql.get("SELECT count(*) AS number FROM observations")?.number) - countUpTo(sql, scope, ALL);
  return others < walked;
}

/** The rows of the one condition that meet the others too. */
function countWalking(sql: Sql, walked: Condition, asked: readonly Condition[]): number {
  const parts = asked.map(
    ({ column, test }, index) =>
      `EXISTS (SELECT 1 FROM observations AS asked_${index} WHERE asked_${index}.${column} ${test} AND asked_${index}.id = walked.id)`,
  );
  const counted = sql.get(
    `SELECT count(*) AS number FROM observations AS walked WHERE walked.${walked.column} ${walked.test} AND ${parts.join(" AND ")}`,
    ...walked.values,
    ...asked.flatMap(({ values }) => values),
  );
  return Number(counted?.number);
}
