// A real store in which a few texts were saved thousands of times: one copy of each stays, quickly.
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { applyObservationCompaction } from "../../src/observations/compaction/apply-observation-compaction.ts";
import { planObservationCompaction } from "../../src/observations/compaction/plan-observation-compaction.ts";
import { hashedForm } from "../../src/observations/saving/stored-text.ts";
import { createExtractiveSummarizer } from "../../src/summaries/record.ts";
import { CORPUS, readText } from "../corpus/corpus.ts";
import { verifies } from "../requirements/verifies.ts";
import { allRows, count, storeOf } from "./grouping/rows.ts";

interface Entry {
  readonly content: string;
  readonly createdAt: number;
}

describe("a store full of repetitions", () => {
  it.skipIf(CORPUS === undefined)("keeps exactly one row of each text", async () => {
    verifies("field/repeating-removes-both");
    const entries: readonly Entry[] = JSON.parse(
      readText(join(CORPUS ?? "", "observations/openclaw-ams-memories.json.gz")),
    );
    const store = await storeOf(
      entries.map(({ content, createdAt }) => ({ content, created_at: new Date(createdAt).toISOString() })),
    );
    const now = Math.max(...entries.map(({ createdAt }) => createdAt)) + 60 * 86_400_000;
    const request = { olderThanDays: 30, summarizer: createExtractiveSummarizer(), count };
    const plan = await planObservationCompaction(store, request, { now });
    const report = await applyObservationCompaction(store, JSON.parse(JSON.stringify(plan)), { now });
    const live = (await allRows(store)).filter(({ deleted_at }) => deleted_at === null);
    const texts = live.map(({ content }) => hashedForm(content)).sort();
    expect(entries).toHaveLength(8878);
    expect(report.refused).toEqual([]);
    expect(texts).toEqual([...new Set(entries.map(({ content }) => hashedForm(content)))].sort());
    expect(report.deleted).toBe(entries.length - live.length);
    expect((await planObservationCompaction(store, request, { now })).groups).toEqual([]);
  });
});
