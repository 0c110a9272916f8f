// The guide to observations walks through the example notes. What it says about them is held to be so: which are merged,
// which are not, and every figure of its plan.
import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { applyObservationCompaction } from "../../src/observations/compaction/apply-observation-compaction.ts";
import { identifyStaleObservations, proposedIds, staleRecord } from "../../src/observations/compaction/find-stale.ts";
import { restoreObservations } from "../../src/observations/compaction/restore-observations.ts";

import { createMemoryObservationStore } from "../../src/observations/memory-observation-store.ts";
import type { ObservationStore } from "../../src/observations/observation-store.ts";
import { searchObservations } from "../../src/observations/reading/search-observations.ts";
import { importObservations } from "../../src/observations/transfer/import-observations.ts";
import { readImportedRows } from "../../src/observations/transfer/read-rows.ts";
import { planObservationCompaction } from "../../src/observations.ts";
import { createTokenCounter } from "../../src/tokens.ts";
import { verifies } from "../requirements/verifies.ts";

const root = new URL("../../", import.meta.url);
const notes = readFileSync(new URL("examples/memories/notes.jsonl", root), "utf8");
/** Columns of tables are as wide as their longest cell: runs of blanks say nothing. */
const page = (name: string) => readFileSync(new URL(name, root), "utf8").replace(/ +/g, " ");
const guide = page("docs/guides/observations.md");

/** The day of the guide. */
const now = Date.UTC(2026, 10, 28, 12);
const DAYS = 30;
const NAMES: Readonly<Record<string, string>> = { near_duplicates: "the same", topic: "one topic" };

let store: ObservationStore;

const importNotes = () => importObservations(store, readImportedRows(notes), { now: () => now });
const plan = () => planObservationCompaction(store, { olderThanDays: DAYS }, { now: () => now });
const everyRow = () => store.read((rows) => rows.observationsAfter(0, 1000));

beforeEach(async () => {
  store = createMemoryObservationStore();
  await importNotes();
});

describe("the example notes", () => {
  it("import whole, and a second time add nothing", async () => {
    const rows = await everyRow();
    expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(await importNotes()).toMatchObject({ added: 0, updated: 0, unchanged: 30, skipped: [], dropped_fields: {} });
    expect(await everyRow()).toEqual(rows);
  });

  it("are grouped as the guide shows it, figure by figure", async () => {
    verifies("rulings/false-duplicate-guard", "field/different-facts-merged");
    const { groups, totals, left } = await plan();
    expect(groups.map(({ kind, ids }) => [kind, ids])).toEqual([
      ["near_duplicates", [3, 13]],
      ["near_duplicates", [22]],
      ["topic", [6, 7, 8, 9, 10, 11]],
    ]);
    for (const group of groups) {
      const stands = group.kind === "topic" ? group.summary.title : `row ${group.kept}, which is kept`;
      const line = `${NAMES[group.kind]} ${group.ids.join(", ")} ${stands} ${group.tokens_before} ${group.tokens_after}\n`;
      expect(guide).toContain(line);
      expect(guide).toContain(group.reason);
    }
    expect(guide).toContain(
      `Plan for notes.db: ${totals.rows} rows older than ${DAYS} days in ${totals.groups} groups`,
    );
    expect(guide).toMatch(new RegExp(`before ${totals.tokens_before} █+.*\\n after ${totals.tokens_after} █`));
    expect(guide).toContain(`${totals.rows} rows, ${totals.tokens_before} -> ${totals.tokens_after} tokens`);
    expect(guide).toContain(`Stale rows that stay: ${left.ungrouped} in no group, ${left.living} still being updated.`);
  });

  it("hold four pairs that look alike and differ in one fact each, which no plan touches", async () => {
    verifies("rulings/false-duplicate-guard");
    const { groups, left } = await plan();
    expect(left.look_alikes).toEqual({
      count: 4,
      pairs: [
        { ids: [4, 16], differ_in: "number" },
        { ids: [5, 18], differ_in: "negation" },
        { ids: [20, 21], differ_in: "name" },
        { ids: [14, 25], differ_in: "date" },
      ],
    });
    const touched = new Set(groups.flatMap(({ rows }) => rows.map(({ id }) => id)));
    for (const { ids } of left.look_alikes.pairs) {
      expect(guide).toContain(`| ${ids.join(", ")} |`);
      for (const id of ids) expect(touched.has(id)).toBe(false);
    }
    expect(guide).toContain(`${left.look_alikes.count} pairs look alike and differ in a fact`);
  });

  it("are listed by age as the guide shows it, the living document marked and not proposed", async () => {
    verifies("rulings/age-by-creation");
    const request = { olderThanDays: 180, project: "harbor-desk" };
    const { candidates, total, ages } = await identifyStaleObservations(store, request, { now });
    const { count } = createTokenCounter({ encoding: "o200k_base" });
    const records = candidates.map((candidate) => staleRecord(candidate, count));
    const buckets = ages.map(({ days, count: rows }) => `${days} days: ${rows}`).join(", ");
    expect(guide).toContain(`Found **${total}** candidates for compaction (${buckets}):`);
    expect(guide).toContain(`compact_ids: "${JSON.stringify(proposedIds(records))}"`);
    expect(records[0]).toMatchObject({ id: 1, updated_days_ago: 3 });
    expect(proposedIds(records)).not.toContain(1);
    const tokens = records.reduce((sum, record) => sum + record.tokens, 0);
    expect(guide).toContain(`Those shown take ${tokens.toLocaleString("en-US")} tokens.`);
  });

  it("are compacted, found and brought back to the same rows", async () => {
    verifies("rulings/compacted-rows-findable");
    const before = await everyRow();
    const report = await applyObservationCompaction(store, await plan(), { now });
    expect(report.applied.map(({ stands_for }) => stands_for)).toEqual([19, 24, 31]);
    const search = (standing: "live" | "deleted") => searchObservations(store, { query: "locking", standing });
    expect((await search("live")).found).toEqual([]);
    expect((await search("deleted")).found[0]).toMatchObject({ observation: { id: 6 }, compactedInto: [31] });
    for (const { restore } of report.applied)
      await restoreObservations(store, { summaryId: restore.summary_id }, { now });
    const after = await everyRow();
    expect(after.slice(0, 30)).toEqual(before);
    expect(after.slice(30).map(({ id, deleted_at }) => [id, deleted_at === null])).toEqual([[31, false]]);
  });
});
