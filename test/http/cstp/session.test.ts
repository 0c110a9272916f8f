// A whole session over real HTTP, on every kind of log: record, review, compact, preserve, wisdom, and calibration that no
// cycle changes by a digit.
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { RawDecision } from "../../../src/decisions/decision.ts";
import type { DecisionLog } from "../../../src/decisions/decision-log.ts";
import { createMemoryDecisionLog } from "../../../src/decisions/memory-decision-log.ts";
import { openDecisionLog } from "../../../src/decisions.ts";
import { DAY_MS } from "../../../src/time.ts";
import { verifies } from "../../requirements/verifies.ts";
import { aged, fill, NOW, openCstpServer } from "./cstp-server.ts";

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "agent-compact-cstp-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

interface Kind {
  readonly open: () => { readonly log: DecisionLog; readonly folder?: string };
}

const kinds: readonly (readonly [string, Kind])[] = [
  ["memory", { open: () => ({ log: createMemoryDecisionLog() }) }],
  ["SQLite", { open: () => ({ log: openDecisionLog({ db: join(newFolder(), "decisions.db"), create: true }) }) }],
  [
    "folder",
    {
      open: () => {
        const folder = join(newFolder(), "decisions");
        return { log: openDecisionLog({ dir: folder, create: true }), folder };
      },
    },
  ],
];

/** Every record of a folder by its name; other files of the log are not the user's. */
function recordsOf(folder: string): Readonly<Record<string, string>> {
  const names = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.ya?ml$/.test(name));
  return Object.fromEntries(
    names
      .filter((name) => statSync(join(folder, name)).isFile())
      .map((name) => [
        name,
        createHash("sha256")
          .update(readFileSync(join(folder, name)))
          .digest("hex"),
      ]),
  );
}

/** Every record as it is stored, sorted by id. */
function rawRecords(log: DecisionLog): Promise<readonly RawDecision[]> {
  return log.read(async (reader) => (await reader.decisions(await reader.idsLike("", 1000))).map(({ raw }) => raw));
}

/** Ten of one category and age: six successes, two failures, one partial, one abandoned, all at 0.8. */
const OUTCOMES = [...Array(6).fill("success"), "failure", "failure", "partial", "abandoned"] as const;
const PATTERNS = [...Array(7).fill("Search first"), "Skip query", "Skip query", undefined] as const;

const old = OUTCOMES.map((outcome, at) =>
  aged(`old-${at + 10}`, 100 + at, {
    outcome,
    ...(PATTERNS[at] === undefined ? {} : { pattern: PATTERNS[at] }),
    bridge: { structure: "a search index", function: "nothing is done twice" },
    context: "What was known when it was decided",
  }),
);

describe.each(kinds)("a session on a %s log", (_, { open }) => {
  it("records, reviews, compacts, preserves and reads wisdom", async () => {
    verifies("decisions/api-compact", "decisions/api-get-compacted", "decisions/api-set-preserve");
    let now = NOW - 50 * DAY_MS;
    const { log } = open();
    const { call } = await openCstpServer({ log, now: () => now });
    const { id } = await call("cstp.recordDecision", {
      decision: "Use one queue for all jobs, because jobs were lost when a worker died in the night",
      category: "architecture",
      confidence: 0.9,
      stakes: "high",
      context: "Jobs were lost",
      reasons: [{ type: "empirical", text: "Two incidents in May", strength: 0 }],
      pattern: "One way to do a thing",
      bridge: { structure: "a queue with acknowledgements", function: "no job is lost" },
    });
    now = NOW;
    const pending = await call("cstp.getCompacted", {});
    expect(pending.decisions).toMatchObject([{ id, level: "full", status: "pending", context: "Jobs were lost" }]);

    const reviewed = await call("cstp.reviewDecision", {
      decision_id: id.slice(0, 6),
      outcome: "success",
      lessons: "Alerts, too",
    });
    expect(reviewed).toMatchObject({ success: true, id, compactionLevel: "digest" });
    const digest = await call("cstp.getCompacted", {});
    expect(digest.digests).toEqual([{ category: "architecture", count: 1, ids: [id] }]);
    expect(digest.decisions[0]).toEqual({
      id,
      level: "digest",
      category: "architecture",
      date: "2025-12-27",
      oneLine: expect.stringMatching(/^Use one queue for all jobs/),
      outcome: "success",
      confidence: 0.9,
      actualConfidence: 1,
      bridge: { structure: "a queue with acknowledgements", function: "no job is lost" },
    });

    const dry = await call("cstp.compact", { dryRun: "true" });
    expect(dry).toMatchObject({ compacted: 1, preserved: 0, dryRun: true, changedTotal: 1 });
    expect(dry).not.toHaveProperty("run");
    const done = await call("cstp.compact", { dryRun: "false" });
    expect(done).toMatchObject({
      compacted: 1,
      dryRun: false,
      levels: { full: 0, summary: 0, digest: 1, wisdom: 0 },
      changed: [{ id, from: "full", to: "digest" }],
      run: { trigger: "request", texts: { extractive: 1, llm: 0 } },
    });
    expect((await call("cstp.compact", {})).changedTotal).toBe(0);

    expect(await call("cstp.setPreserve", { id })).toEqual({ success: true, decisionId: id, preserve: true });
    const kept = await call("cstp.getCompacted", {});
    expect(kept.decisions[0]).toMatchObject({ level: "full", preserved: true, context: "Jobs were lost" });
    expect((await call("cstp.getCompacted", { includePreserved: "false" })).total).toBe(0);
    expect(await call("cstp.setPreserve", { id, preserve: false })).toMatchObject({ success: true, preserve: false });
    expect((await call("cstp.getCompacted", {})).decisions[0].level).toBe("digest");
    expect(await call("cstp.setPreserve", { id: "unknown-one" })).toEqual({
      success: false,
      decisionId: "unknown-one",
      preserve: true,
      error: "Decision not found: unknown-one",
    });
    const whole = await call("cstp.getDecision", { decisionId: id });
    expect(whole).toMatchObject({
      id,
      compactionLevel: "digest",
      decision: { confidence: 0.9, lessons: "Alerts, too" },
    });
    expect(whole.decision.reasons[0].strength).toBe(0);
    const query = await call("cstp.queryDecisions", { query: "queue", filters: { category: "architecture" } });
    expect(query.decisions).toMatchObject([{ id, compactionLevel: "digest", context: "Jobs were lost" }]);
    expect((await call("cstp.queryDecisions", { compacted: "true" })).decisions[0]).not.toHaveProperty("context");
  });

  it("gives wisdom in both forms, and none of it at a lower level", async () => {
    verifies("decisions/api-get-wisdom", "rulings/wisdom-formats");
    const { log } = open();
    await fill(log, old);
    const { call, post } = await openCstpServer({ log });
    const both = [{}, { format: "structured" }].map((params, id) => ({
      jsonrpc: "2.0",
      id,
      method: "cstp.getWisdom",
      params,
    }));
    expect(await (await post(JSON.stringify(both))).json()).toMatchObject([
      { id: 0, result: { total_decisions: 10 } },
      { id: 1, result: { totalDecisions: 10, wisdom: [{ keyPrinciples: [{ confirmations: 6, contradictions: 1 }] }] } },
    ]);
    expect(await call("cstp.getWisdom", {})).toEqual({
      wisdom: [
        {
          category: "process",
          decisions: 10,
          success_rate: 0.6,
          key_principles: ["Search first (6 confirmations, 1 contradiction)"],
          common_failure_mode: "Skip query (1 failure)",
        },
      ],
      total_decisions: 10,
      categories_analyzed: 1,
    });
    const structured = await call("cstp.getWisdom", { format: "structured", min_decisions: "-1" });
    expect(structured.wisdom[0]).toMatchObject({ successRate: 0.6, avgConfidence: 0.8, brierScore: 0.225 });
    expect((await call("cstp.getWisdom", { minDecisions: 999 })).wisdom).toEqual([]);
    const served = await call("cstp.getCompacted", {});
    expect([served.total, served.levels.wisdom, served.leftOut.wisdom]).toEqual([0, 10, 10]);
    const wisdom = await call("cstp.getCompacted", { level: "wisdom", limit: 2 });
    expect(wisdom.decisions).toHaveLength(2);
    expect(JSON.stringify(wisdom)).not.toMatch(/What was known|Decision old|Search first/);
    expect(wisdom.decisions[0].bridge).toEqual({ structure: "a search index", function: "nothing is done twice" });
    const next = await call("cstp.getCompacted", { level: "wisdom", limit: 500, cursor: wisdom.nextCursor });
    expect(next.decisions).toHaveLength(8);
  });

  it("keeps calibration to the last digit and records to the byte, but for preserve", async () => {
    verifies("decisions/process-preserve-raw", "values/calibration-unchanged", "rulings/raw-records-unaltered");
    const { log, folder } = open();
    const confidences = [0.1, 0.7, 0.3, 0.333, 0.9, 0.95, 0.57, 0, 1, 0.81];
    await fill(log, [
      ...old,
      ...confidences.map((confidence, at) => aged(`new-${at + 10}`, at * 11, { confidence, outcome: OUTCOMES[at] })),
      aged("open-10", 200, { status: "pending", outcome: null }),
      aged("bad-10", 0, { date: "soon" }),
    ]);
    const { call } = await openCstpServer({ log });
    const before = JSON.stringify(await call("cstp.getCalibration", {}));
    const records = await rawRecords(log);
    const files = folder === undefined ? {} : recordsOf(folder);
    for (let round = 0; round < 3; round++) await call("cstp.compact", {});
    const { decisions, errors } = await call("cstp.getCompacted", {});
    expect([decisions.length > 5, errors.length]).toEqual([true, 1]);
    expect(await rawRecords(log)).toEqual(records);
    expect(JSON.stringify(await call("cstp.getCalibration", {}))).toBe(before);
    expect(JSON.parse(before).overall.brierScore).not.toBeNull();
    if (folder !== undefined) expect(recordsOf(folder)).toEqual(files);

    await call("cstp.setPreserve", { id: "old-10" });
    const preserved = records.map((raw) => (raw.id === "old-10" ? { ...raw, preserve: true } : raw));
    expect(await rawRecords(log)).toEqual(preserved);
    expect(JSON.stringify(await call("cstp.getCalibration", {}))).toBe(before);
    if (folder === undefined) return;
    const after = recordsOf(folder);
    expect(Object.keys(after)).toEqual(Object.keys(files));
    const changed = Object.keys(files).filter((name) => files[name] !== after[name]);
    expect(changed).toHaveLength(1);
    expect(changed[0]).toContain("old-10");
    await call("cstp.setPreserve", { id: "old-10", preserve: false });
    expect(JSON.stringify(await call("cstp.getCalibration", {}))).toBe(before);
  });

  it("counts what preserve changes", async () => {
    verifies("values/preserve-in-every-store");
    const { log } = open();
    const ages = [0, 3, 6, 7, 15, 29, 30, 60, 89, 90, 180, 365];
    await fill(
      log,
      ages.map((days, at) => aged(`at-${at + 10}`, days)),
    );
    const { call } = await openCstpServer({ log });
    const before = await call("cstp.compact", {});
    expect(before).toMatchObject({
      compacted: 12,
      preserved: 0,
      levels: { full: 3, summary: 3, digest: 3, wisdom: 3 },
    });
    await call("cstp.setPreserve", { id: "at-21" });
    const after = await call("cstp.compact", {});
    expect(after).toMatchObject({ compacted: 12, preserved: 1, levels: { full: 4, summary: 3, digest: 3, wisdom: 2 } });
  });

  it("serves the rest of a log with an unreadable record", async () => {
    verifies("values/one-unreadable-date");
    const { log } = open();
    const good = Array.from({ length: 21 }, (_, at) => aged(`good-${at + 10}`, at));
    await fill(log, [...good, aged("bad-10", 0, { date: "soon" })]);
    const { call } = await openCstpServer({ log });
    const served = await call("cstp.getCompacted", {});
    expect(served.total).toBe(22);
    expect(served.errors).toEqual([{ id: "bad-10", code: "UNREADABLE_DATE", message: expect.any(String) }]);
    expect(await call("cstp.compact", {})).toMatchObject({ compacted: 22, errors: [{ id: "bad-10" }] });
  });
});
