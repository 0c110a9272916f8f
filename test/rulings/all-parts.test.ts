// The rulings that stand over all four parts: plan before apply, and nothing that leaves is lost.
import { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { restoreTranscript } from "../../src/archive/restore-transcript.ts";
import { searchArchive } from "../../src/archive/search-archive.ts";
import {
  applyDecisionCompaction,
  createMemoryDecisionLog,
  getCompacted,
  getDecision,
  planDecisionCompaction,
  reviewDecision,
} from "../../src/decisions.ts";
import { CompactManager } from "../../src/index.ts";
import {
  applyMemoryFilesCompaction,
  listArchivedChanges,
  planMemoryFilesCompaction,
  restoreMemoryFiles,
} from "../../src/memory-files.ts";
import {
  applyObservationCompaction,
  planObservationCompaction,
  restoreObservations,
  searchObservations,
} from "../../src/observations.ts";
import { bench, system, turns, user } from "../conversation/support.ts";
import { filled, rawRecords } from "../decisions/levels/logs.ts";
import { aged, options as logOptions } from "../decisions/levels/records.ts";
import { filesOf, liveFiles } from "../memory-files/applying/sample-plan.ts";
import { newWorkspace } from "../memory-files/workspace/workspace-folder.ts";
import { allRows, storeOf } from "../observations/grouping/rows.ts";
import { verifies } from "../requirements/verifies.ts";

const MESSAGES = [system("s"), ...turns(10), user("go on with ticket OPS-4711")];
const HELD =
  "## Gateway\n\nThe gateway listens on port 8080 behind nginx.\nBackups run nightly from the replica in Frankfurt.\n";
const FILES = {
  "MEMORY.md": `# Memory\n\n${HELD}`,
  "memory/2031-02-03.md": `# Day\n\n${HELD}\n## Lunch\n\nThe cook of the canteen has made soup of pumpkins.\n`,
};
const NOW = Date.UTC(2031, 1, 20, 12);
const options = { ...logOptions, now: () => logOptions.now };
const notes = () => storeOf(["keep the lock", "keep the lock", "use three workers"].map((content) => ({ content })));
const decisions = () => filled(async () => createMemoryDecisionLog(), [aged("a", 1), aged("b", 40), aged("c", 100)]);
const planned = (root: string) => planMemoryFilesCompaction(root, {}, { now: () => NOW });

describe("each part plans without writing, and refuses a plan whose inputs changed", () => {
  it("in conversations, stores, logs and files", async () => {
    verifies("rulings/plan-then-apply");
    const { manager, archive, events } = bench();
    const conversation = await manager.plan("s", MESSAGES);
    expect([await archive.sessions(), events]).toEqual([[], []]);
    const other = [system("another"), ...MESSAGES.slice(1)];
    await expect(manager.apply(other, conversation)).rejects.toMatchObject({ kind: "Conflict", code: "STALE_PLAN" });
    expect((await manager.apply(MESSAGES, conversation)).report.pruned_count).toBe(conversation.pruned_count);

    const store = await notes();
    const rows = await allRows(store);
    const observations = await planObservationCompaction(store, { olderThanDays: 30 });
    expect(await allRows(store)).toEqual(rows);
    const [group] = observations.groups;
    await store.write((writer) => writer.changeObservations([group?.ids[0] ?? 0], { content: "keep both locks" }));
    const stale = await applyObservationCompaction(store, observations, { now: () => NOW });
    expect([stale.deleted, stale.refused.map(({ code }) => code)]).toEqual([0, ["STALE_PLAN"]]);
    const fresh = await notes();
    const report = await applyObservationCompaction(
      fresh,
      await planObservationCompaction(fresh, { olderThanDays: 30 }),
      { now: () => NOW },
    );
    expect(report).toMatchObject({ deleted: 1, refused: [] });

    const log = await decisions();
    const records = await rawRecords(log);
    const cycle = await planDecisionCompaction(log, {}, options);
    expect([await rawRecords(log), cycle.items.length]).toEqual([records, 2]);
    await reviewDecision(log, { id: "b", outcome: "failure" }, options);
    await expect(applyDecisionCompaction(log, cycle, options)).rejects.toMatchObject({ code: "STALE_PLAN" });
    const again = await planDecisionCompaction(log, {}, options);
    expect((await applyDecisionCompaction(log, again, options)).changed).toBe(again.items.length);

    const root = newWorkspace(FILES);
    const before = filesOf(root);
    const { plan } = await planned(root);
    expect([filesOf(root), plan.changes.length]).toEqual([before, 1]);
    const changed = newWorkspace(FILES);
    const old = (await planned(changed)).plan;
    appendFileSync(join(changed, "memory/2031-02-03.md"), "Later.\n");
    const { refused } = await applyMemoryFilesCompaction(changed, old, { now: () => NOW });
    expect(refused.map(({ code }) => code)).toEqual(["STALE_PLAN"]);
    expect(await applyMemoryFilesCompaction(root, plan, { now: () => NOW })).toMatchObject({ refused: [] });
  });
});

describe("what leaves the live memory can be listed, searched and brought back", () => {
  it("in conversations, stores, logs and files", async () => {
    verifies("rulings/nothing-is-lost");
    const { manager, archive } = bench();
    const { messages, report } = await manager.compact("s", MESSAGES);
    expect(report.pruned_count).toBeGreaterThan(0);
    expect(messages).not.toContain(MESSAGES[1]);
    expect(await archive.steps("s")).toMatchObject([{ step: 1 }]);
    expect((await searchArchive(archive, "question 1")).length).toBeGreaterThan(0);
    expect((await restoreTranscript(archive, "s")).messages).toEqual(MESSAGES);

    const store = await notes();
    const plan = await planObservationCompaction(store, { olderThanDays: 30 });
    const rows = await allRows(store);
    const { applied } = await applyObservationCompaction(store, plan, { now: () => NOW });
    const gone = applied.flatMap(({ ids }) => ids);
    const query = { query: "keep lock", standing: "deleted" } as const;
    expect((await searchObservations(store, query)).found.map(({ observation }) => observation.id)).toEqual(gone);
    await restoreObservations(store, { ids: gone }, { now: () => NOW });
    const live = (await allRows(store)).map(({ content, deleted_at }) => ({ content, deleted_at }));
    expect(live).toEqual(rows.map(({ content, deleted_at }) => ({ content, deleted_at })));

    const log = await decisions();
    const records = await rawRecords(log);
    await applyDecisionCompaction(log, await planDecisionCompaction(log, {}, options), options);
    expect(await rawRecords(log)).toEqual(records);
    expect((await getCompacted(log, { level: "digest" }, options)).total).toBeGreaterThan(0);
    expect((await getDecision(log, "c", options)).id).toBe("c");

    const root = newWorkspace(FILES);
    const before = liveFiles(root);
    await applyMemoryFilesCompaction(root, (await planned(root)).plan, { now: () => NOW });
    expect(readFileSync(join(root, "memory/2031-02-03.md"), "utf8")).not.toContain("8080");
    expect(await listArchivedChanges(root)).toHaveLength(1);
    await restoreMemoryFiles(root, { all: true }, { now: () => NOW });
    expect(liveFiles(root)).toEqual(before);
  });

  it("and where the archive fails, nothing is pruned", async () => {
    const archive = bench().archive;
    const broken = { ...archive, saveTranscript: () => Promise.reject(new Error("disk full")) };
    const { manager } = bench({ archive: broken });
    const messages = [...MESSAGES];
    await expect(manager.compact("s", messages)).rejects.toThrow("disk full");
    expect(messages).toEqual(MESSAGES);
  });
});

describe("what comes back", () => {
  it("says which values it lacks, is the very list within the process, and every byte of a user's own files", async () => {
    verifies("rulings/redacted-copies-and-restoring");
    const messages = [...MESSAGES, user("log in with api_key=sk-abc123def456ghi789 and go on")];
    const { manager, archive } = bench();
    const output = await manager.manualCompact("s", messages);
    const { messages: restored, missing } = await restoreTranscript(archive, "s");
    expect(missing).toMatchObject([{ message: messages.length, count: 1 }]);
    expect(restored.slice(0, -1)).toEqual(messages.slice(0, -1));
    expect(JSON.stringify(restored.at(-1))).toContain("api_key=<REDACTED>");
    const undone = await manager.undo("s", output);
    expect(undone.every((message, at) => message === messages[at])).toBe(true);

    const root = newWorkspace(FILES);
    chmodSync(join(root, "memory/2031-02-03.md"), 0o640);
    await applyMemoryFilesCompaction(root, (await planned(root)).plan, { now: () => NOW });
    await restoreMemoryFiles(root, { all: true }, { now: () => NOW });
    expect(liveFiles(root)).toEqual(FILES);
    expect(statSync(join(root, "memory/2031-02-03.md")).mode & 0o777).toBe(0o640);
  });

  it("and a session goes on from its small state file alone", async () => {
    const path = mkdtempSync(join(tmpdir(), "resuming-"));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    const first = await new CompactManager({ archive: { path } }).manualCompact("s", MESSAGES);
    for (const name of readdirSync(join(path, "s"))) if (name !== "state.json") rmSync(join(path, "s", name));
    const next = [...first, ...turns(6), user("and on")];
    const { messages, report } = await new CompactManager({ archive: { path } }).compact("s", next);
    expect(report.summary.version).toBe(2);
    expect(JSON.stringify(messages).match(/<COMPACT-SUMMARY v/g)).toHaveLength(1);
    expect(statSync(join(path, "s", "state.json")).size).toBeLessThan(20_000);
  });
});
